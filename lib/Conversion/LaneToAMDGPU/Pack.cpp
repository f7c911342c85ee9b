// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Conversions between f32 and packed small floats.

#include "rowmill/Conversion/LaneToAMDGPU/LaneToAMDGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Target/Arch.h"

using namespace mlir;
using namespace rowmill;

static Value constant(ImplicitLocOpBuilder &b, uint32_t bits) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(bits)));
}

static Value splat(ImplicitLocOpBuilder &b, uint32_t bits, int64_t count) {
  auto type = VectorType::get({count}, b.getI32Type());
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, APInt(32, bits)));
}

/// The f32 2^(e - 127) of a biased exponent, as the instructions take a scale:
/// by its exponent field alone.
static Value scaleFromExponent(ImplicitLocOpBuilder &b, Value exponent) {
  Value bits = arith::ShLIOp::create(b, exponent, constant(b, 23));
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

/// values * 2^(127 - e). The product is exact but where it is below the normal
/// range, far below half a step of every format. e = 255 would need an exponent
/// field of -1: it means 2^-128, which is a denormal.
static Value scaleDown(ImplicitLocOpBuilder &b, Value values, Value exponent) {
  Value field = arith::SubIOp::create(b, constant(b, 254), exponent);
  Value bits = arith::ShLIOp::create(b, field, constant(b, 23));
  Value isLargest = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, exponent,
                                          constant(b, 255));
  bits = arith::SelectOp::create(b, isLargest, constant(b, 1u << 21), bits);
  Value isSecond = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, exponent,
                                         constant(b, 254));
  bits = arith::SelectOp::create(b, isSecond, constant(b, 1u << 22), bits);
  Value factor = arith::BitcastOp::create(b, b.getF32Type(), bits);
  Value factors = vector::BroadcastOp::create(b, values.getType(), factor);
  return arith::MulFOp::create(b, values, factors);
}

static Value extract(ImplicitLocOpBuilder &b, Value vector, int64_t index) {
  return vector::ExtractOp::create(b, vector, index);
}

/// Builds the packed vector from 32-bit words, of which the last may be partly
/// used when all codes together fill only one or two bytes.
static Value assemble(ImplicitLocOpBuilder &b, ArrayRef<Value> words,
                      VectorType type) {
  unsigned width = type.getElementTypeBitWidth();
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    unsigned bit = i * width;
    Value word = words[bit / 32];
    if (bit % 32)
      word = arith::ShRUIOp::create(b, word, constant(b, bit % 32));
    if (width < 32)
      word = arith::TruncIOp::create(b, type.getElementType(), word);
    elements.push_back(word);
  }
  return vector::FromElementsOp::create(b, type, elements);
}

/// The packed vector as 32-bit words; unused high bits are zero.
static SmallVector<Value> disassemble(ImplicitLocOpBuilder &b, Value packed) {
  auto type = cast<VectorType>(packed.getType());
  unsigned width = type.getElementTypeBitWidth();
  SmallVector<Value> words;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    unsigned bit = i * width;
    Value word = extract(b, packed, i);
    if (width < 32)
      word = arith::ExtUIOp::create(b, b.getI32Type(), word);
    if (bit % 32 == 0) {
      words.push_back(word);
      continue;
    }
    word = arith::ShLIOp::create(b, word, constant(b, bit % 32));
    words.back() = arith::OrIOp::create(b, words.back(), word);
  }
  return words;
}

//===----------------------------------------------------------------------===//
// f4E2M1FN
//===----------------------------------------------------------------------===//

/// Codes of f32 values by integer arithmetic, one code in an i32:
///
///   |x| >= 1: the exponent and one mantissa bit survive; adding just under
///             half a step, plus the kept bit, rounds ties to even.
///   |x| <  1: on the grid of halves; the f32 adder itself does the rounding
///             when 2^22 is added.
///
/// |x| is first limited to 6, which also takes care of infinities and NaN.
static Value encodeFp4(ImplicitLocOpBuilder &b, Value values) {
  auto floats = cast<VectorType>(values.getType());
  int64_t count = floats.getNumElements();
  auto ints = VectorType::get({count}, b.getI32Type());
  auto c = [&](uint32_t bits) { return splat(b, bits, count); };

  Value bits = arith::BitcastOp::create(b, ints, values);
  Value magnitude = arith::AndIOp::create(b, bits, c(0x7fffffff));
  magnitude = arith::MinUIOp::create(b, magnitude, c(0x40c00000));

  // (m + 0xc11fffff + bit 22 of m) >> 22: re-biases the exponent from 127 to 1
  // and adds 0x1fffff, just under half of the step 1 << 22.
  Value kept = arith::ShRUIOp::create(b, magnitude, c(22));
  kept = arith::AndIOp::create(b, kept, c(1));
  Value normal = arith::AddIOp::create(b, magnitude, c(0xc11fffff));
  normal = arith::AddIOp::create(b, normal, kept);
  normal = arith::ShRUIOp::create(b, normal, c(22));

  Value asFloat = arith::BitcastOp::create(b, floats, magnitude);
  Value bias = arith::BitcastOp::create(b, floats, c(0x4a800000));
  Value small = arith::AddFOp::create(b, asFloat, bias);
  small = arith::BitcastOp::create(b, ints, small);
  small = arith::SubIOp::create(b, small, c(0x4a800000));

  Value isSmall = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, magnitude,
                                        c(0x3f800000));
  Value code = arith::SelectOp::create(b, isSmall, small, normal);
  Value sign = arith::ShRUIOp::create(b, bits, c(28));
  sign = arith::AndIOp::create(b, sign, c(8));
  return arith::OrIOp::create(b, code, sign);
}

static SmallVector<Value> packFp4ByIntegers(ImplicitLocOpBuilder &b,
                                            Value values, Value exponent) {
  if (exponent)
    values = scaleDown(b, values, exponent);
  Value codes = encodeFp4(b, values);
  int64_t count = cast<VectorType>(values.getType()).getNumElements();
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i) {
    Value code = extract(b, codes, i);
    unsigned bit = 4 * (i % 8);
    if (bit == 0) {
      words.push_back(code);
      continue;
    }
    code = arith::ShLIOp::create(b, code, constant(b, bit));
    words.back() = arith::OrIOp::create(b, words.back(), code);
  }
  return words;
}

/// v_cvt_scalef32_pk_fp4_f32 fills one byte of a word from two values.
static SmallVector<Value> packFp4ByPairs(ImplicitLocOpBuilder &b, Value values,
                                         Value exponent) {
  Value scale = scaleFromExponent(b, exponent ? exponent : constant(b, 127));
  int64_t count = cast<VectorType>(values.getType()).getNumElements();
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; i += 2) {
    unsigned byte = (i % 8) / 2;
    if (byte == 0)
      words.push_back(constant(b, 0));
    words.back() = ROCDL::CvtScaleF32PkFp4F32Op::create(
        b, b.getI32Type(), words.back(), extract(b, values, i),
        extract(b, values, i + 1), scale, byte);
  }
  return words;
}

/// v_cvt_scalef32_pk8_fp4_f32 makes a whole word from eight values; a shorter
/// vector is padded with zeros.
static SmallVector<Value> packFp4ByEights(ImplicitLocOpBuilder &b, Value values,
                                          Value exponent) {
  Value scale = scaleFromExponent(b, exponent ? exponent : constant(b, 127));
  auto eight = VectorType::get({8}, b.getF32Type());
  int64_t count = cast<VectorType>(values.getType()).getNumElements();
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; i += 8) {
    SmallVector<Value> elements;
    for (int64_t j = i; j < i + 8; ++j)
      elements.push_back(
          j < count
              ? extract(b, values, j)
              : arith::ConstantOp::create(b, b.getF32FloatAttr(0)).getResult());
    Value group = vector::FromElementsOp::create(b, eight, elements);
    words.push_back(
        ROCDL::CvtScaleF32Pk8Fp4F32Op::create(b, b.getI32Type(), group, scale));
  }
  return words;
}

/// A code's sign moves to bit 31 and its magnitude to the top of an f32's
/// exponent and mantissa, where it reads as value * 2^-126, the half as a
/// denormal; one exact product puts the exponent right.
static SmallVector<Value> unpackFp4(ImplicitLocOpBuilder &b,
                                    ArrayRef<Value> words, int64_t count) {
  Value factor = arith::BitcastOp::create(b, b.getF32Type(),
                                          constant(b, (127u + 126) << 23));
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i) {
    Value word = words[i / 8];
    Value code = arith::ShRUIOp::create(b, word, constant(b, 4 * (i % 8)));
    Value sign = arith::AndIOp::create(b, code, constant(b, 8));
    sign = arith::ShLIOp::create(b, sign, constant(b, 28));
    Value magnitude = arith::AndIOp::create(b, code, constant(b, 7));
    magnitude = arith::ShLIOp::create(b, magnitude, constant(b, 22));
    Value bits = arith::OrIOp::create(b, sign, magnitude);
    Value tiny = arith::BitcastOp::create(b, b.getF32Type(), bits);
    values.push_back(arith::MulFOp::create(b, tiny, factor));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// f8E4M3
//===----------------------------------------------------------------------===//

/// v_cvt_pk_fp8_f32 fills one half of a word from two values.
static SmallVector<Value> packFp8(ImplicitLocOpBuilder &b, Value values,
                                  Value exponent) {
  if (exponent)
    values = scaleDown(b, values, exponent);
  int64_t count = cast<VectorType>(values.getType()).getNumElements();
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; i += 2) {
    if (i % 4 == 0)
      words.push_back(constant(b, 0));
    Value first = extract(b, values, i);
    Value second = i + 1 < count ? extract(b, values, i + 1) : first;
    words.back() = ROCDL::CvtPkFp8F32Op::create(
        b, b.getI32Type(), first, second, words.back(), b.getBoolAttr(i % 4));
  }
  return words;
}

static SmallVector<Value> unpackFp8(ImplicitLocOpBuilder &b,
                                    ArrayRef<Value> words, int64_t count) {
  auto pair = VectorType::get({2}, b.getF32Type());
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; i += 2) {
    Value two = ROCDL::CvtPkF32Fp8Op::create(b, pair, words[i / 4],
                                             b.getBoolAttr(i % 4));
    values.push_back(extract(b, two, 0));
    if (i + 1 < count)
      values.push_back(extract(b, two, 1));
  }
  return values;
}

/// Whether the arch converts to and from this eight-bit format.
static bool hasFp8(const Arch &arch, Type format) {
  return arch.fp8Ocp ? isa<Float8E4M3FNType>(format)
                     : isa<Float8E4M3FNUZType>(format);
}

namespace {

/// lane.pack %v exponent %e to format  ->  the arch's conversions.
struct LowerPack : ArchPattern<lane::PackOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::PackOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> words;
    if (isa<Float4E2M1FNType>(op.getFormat())) {
      switch (arch.fp4Convert) {
      case Fp4Convert::None:
        words = packFp4ByIntegers(b, op.getValue(), op.getExponent());
        break;
      case Fp4Convert::Pk2:
        words = packFp4ByPairs(b, op.getValue(), op.getExponent());
        break;
      case Fp4Convert::Pk8:
        words = packFp4ByEights(b, op.getValue(), op.getExponent());
        break;
      }
    } else if (hasFp8(arch, op.getFormat())) {
      words = packFp8(b, op.getValue(), op.getExponent());
    } else {
      return rewriter.notifyMatchFailure(op, "format is not the arch's own");
    }
    rewriter.replaceOp(op, assemble(b, words, op.getResult().getType()));
    return success();
  }
};

/// lane.unpack %w from format  ->  the arch's conversions, integers for fp4.
struct LowerUnpack : ArchPattern<lane::UnpackOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::UnpackOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool isFp4 = isa<Float4E2M1FNType>(op.getFormat());
    if (!isFp4 && !hasFp8(arch, op.getFormat()))
      return rewriter.notifyMatchFailure(op, "format is not the arch's own");
    SmallVector<Value> words = disassemble(b, op.getValue());
    int64_t count = op.getResult().getType().getNumElements();
    SmallVector<Value> values =
        isFp4 ? unpackFp4(b, words, count) : unpackFp8(b, words, count);
    rewriter.replaceOp(
        op, vector::FromElementsOp::create(b, op.getResult().getType(), values)
                .getResult());
    return success();
  }
};

} // namespace

void rowmill::populateLanePackPatterns(RewritePatternSet &patterns,
                                       const Arch &arch) {
  patterns.add<LowerPack, LowerUnpack>(patterns.getContext(), arch);
}
