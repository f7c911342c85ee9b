// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The interface by which ops on rows are spread over lanes.

#ifndef ROWMILL_CONVERSION_ROWTOLANE_DISTRIBUTEINTERFACE_TD
#define ROWMILL_CONVERSION_ROWTOLANE_DISTRIBUTEINTERFACE_TD

include "mlir/IR/OpBase.td"

def DistributeOpInterface : OpInterface<"DistributeOpInterface"> {
  let cppNamespace = "::rowmill";
  let description = [{
    An op with row operands or results that can be done by the lanes that hold
    the row. Implemented by external models, so that an op knows nothing of
    lanes and a new op needs one model and no change to the pass.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds, before the op, what one lane does in its place, and gives the
      distributor the lane's part of every row result. Reports an error at the
      op where the partition cannot serve it.
    }], "::llvm::LogicalResult", "distribute",
    (ins "::rowmill::Distributor &":$distributor)>
  ];
}

#endif // ROWMILL_CONVERSION_ROWTOLANE_DISTRIBUTEINTERFACE_TD
