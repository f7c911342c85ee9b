// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. Fast evaluation of layout maps, the bijection proof, contiguous
// runs.

#include "rowmill/Dialect/Row/IR/Layout.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

/// Deepest stack of a compiled map; deeper expressions are no layouts.
static constexpr unsigned maxStack = 64;

CompiledMap::CompiledMap(AffineMap map) {
  assert(map.getNumDims() == 2 && map.getNumSymbols() == 0 &&
         map.getNumResults() == 1 && "not a layout map");
  compile(map.getResult(0), 1);
  assert(stackSize <= maxStack && "layout map is too deep");
}

void CompiledMap::compile(AffineExpr expr, unsigned depth) {
  stackSize = std::max(stackSize, depth);
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    program.push_back({dim.getPosition() ? Code::Element : Code::Slot, 0});
    return;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    program.push_back({Code::Constant, constant.getValue()});
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  compile(binary.getLHS(), depth);
  compile(binary.getRHS(), depth + 1);
  Code code = Code::Add;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    code = Code::Add;
    break;
  case AffineExprKind::Mul:
    code = Code::Mul;
    break;
  case AffineExprKind::Mod:
    code = Code::Mod;
    break;
  case AffineExprKind::FloorDiv:
    code = Code::FloorDiv;
    break;
  case AffineExprKind::CeilDiv:
    code = Code::CeilDiv;
    break;
  default:
    llvm_unreachable("not a binary affine expression");
  }
  program.push_back({code, 0});
}

int64_t CompiledMap::operator()(int64_t slot, int64_t element) const {
  int64_t stack[maxStack];
  int64_t *top = stack;
  for (const Step &step : program) {
    switch (step.code) {
    case Code::Slot:
      *top++ = slot;
      break;
    case Code::Element:
      *top++ = element;
      break;
    case Code::Constant:
      *top++ = step.value;
      break;
    case Code::Add:
      --top;
      top[-1] += top[0];
      break;
    case Code::Mul:
      --top;
      top[-1] *= top[0];
      break;
    case Code::Mod:
      --top;
      top[-1] = llvm::mod(top[-1], top[0]);
      break;
    case Code::FloorDiv:
      --top;
      top[-1] = llvm::divideFloorSigned(top[-1], top[0]);
      break;
    case Code::CeilDiv:
      --top;
      top[-1] = llvm::divideCeilSigned(top[-1], top[0]);
      break;
    }
  }
  return stack[0];
}

int64_t rowmill::row::getContiguousRun(LayoutAttrInterface layout) {
  CompiledMap map(layout.getMap());
  int64_t length = layout.getLength();
  // The largest power of two that divides the row length.
  int64_t run = length & -length;
  for (int64_t slot = 0, end = layout.getPaddedSlots(); slot < end; ++slot) {
    int64_t start = 0;
    for (int64_t element = 0; element < length; ++element) {
      int64_t offset = map(slot, element);
      if (element % run == 0) {
        start = offset;
        while (start % run != 0)
          run /= 2;
      } else if (offset != start + element % run) {
        // The run breaks here: the largest one that ends before `element`.
        int64_t broken = element % run;
        run = broken & -broken;
        start = offset;
        while (start % run != 0)
          run /= 2;
      }
    }
  }
  return run;
}
