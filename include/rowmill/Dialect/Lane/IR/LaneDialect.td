// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The lane dialect and the base class of its ops.

#ifndef ROWMILL_DIALECT_LANE_IR_LANEDIALECT_TD
#define ROWMILL_DIALECT_LANE_IR_LANEDIALECT_TD

include "mlir/IR/OpBase.td"

def Lane_Dialect : Dialect {
  let name = "lane";
  let cppNamespace = "::rowmill::lane";
  let summary = "What the lanes of a workgroup do together, for every arch";
  let description = [{
    A row that has been distributed lives in the registers of some lanes. This
    dialect holds the few things that such lanes do and that upstream dialects
    cannot say without naming an arch: exchange with a neighbour, reduce over a
    cluster of lanes, and convert between f32 and packed small floats.

    A *cluster* of `n` lanes is `n` consecutive lanes whose first index is a
    multiple of `n`. A cluster may be larger than a wave; its lanes then talk
    through LDS. All lanes of a cluster must be active.

    No op here knows an arch; `convert-lane-to-amdgpu` chooses instructions.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Lane_Op<string mnemonic, list<Trait> traits = []>
    : Op<Lane_Dialect, mnemonic, traits>;

#endif // ROWMILL_DIALECT_LANE_IR_LANEDIALECT_TD
