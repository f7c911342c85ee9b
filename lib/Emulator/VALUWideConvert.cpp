// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Conversions from and to double precision.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

double f64FromF32(float a) { return double(a); }
float f32FromF64(double a) { return float(a); }
double f64FromI32(int32_t a) { return double(a); }
double f64FromU32(uint32_t a) { return double(a); }
int32_t i32FromF64(double a) { return toInt32(a); }
uint32_t u32FromF64(double a) { return toUInt32(a); }

constexpr InstructionClass C = InstructionClass::Conversion;

const InstructionEntry entries[] = {
    {"v_cvt_f64_f32", lanes<f64FromF32>, C},
    {"v_cvt_f32_f64", lanes<f32FromF64>, C},
    {"v_cvt_f64_i32", lanes<f64FromI32>, C},
    {"v_cvt_f64_u32", lanes<f64FromU32>, C},
    {"v_cvt_i32_f64", lanes<i32FromF64>, C},
    {"v_cvt_u32_f64", lanes<u32FromF64>, C},
};

} // namespace

const InstructionList wideConvertList = {entries,
                                         sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
