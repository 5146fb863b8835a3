// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {
namespace {

constexpr const char* kIntegers = "u8 s8 u16 s16 u32 s32 u64 s64";

}  // namespace

const std::vector<Form>& ConversionForms() {
  static const std::vector<Form> forms{
      {kIntegers, kIntegers, "cvt{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"f16 bf16 f32 f64", kIntegers, "cvt.{{rn|rz|rm|rp}}.$T.$S %d, %a;", "T S"},
      {"f16 f32 f64", "s32 u64", "cvt.rn.sat.$T.$S %d, %a;", "T S"},
      {kIntegers, "f16 bf16 f32 f64", "cvt.{{rni|rzi|rmi|rpi}}{{|.sat}}.$T.$S %d, %a;", "T S"},
      {kIntegers, "f32", "cvt.{{rni|rzi}}.ftz.$T.$S %d, %a;", "T S"},
      {"f16 f32 f64", "", "cvt{{.rni|.rzi|.rmi|.rpi}}{{|.sat}}.$T.$T %d, %a;", "T T"},
      {"f32", "", "cvt{{.rni|.rzi|.rmi|.rpi}}.ftz{{|.sat}}.$T.$T %d, %a;", "T T"},
      {"f16 f32 f64", "", "cvt{{|.sat}}.$T.$T %d, %a;", "T T"},
      {"f32", "", "cvt.ftz{{|.sat}}.$T.$T %d, %a;", "T T"},
      {"bf16", "", "cvt{{.rni|.rzi|.rmi|.rpi}}.$T.$T %d, %a;", "T T"},
      {"f64", "f32", "cvt{{|.ftz}}{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"f32", "f64", "cvt{{.rn|.rz|.rm|.rp}}{{|.ftz}}{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"f16", "f32", "cvt{{.rn|.rz|.rm|.rp}}{{|.ftz}}{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"f16", "f64", "cvt{{.rn|.rz|.rm|.rp}}{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"f16 bf16", "f32", "cvt{{.rn|.rz}}.relu.$T.$S %d, %a;", "T S"},
      {"f16 bf16", "f32", "cvt{{.rn|.rz}}{{|.relu}}.satfinite.$T.$S %d, %a;", "T S"},
      {"f32", "f16", "cvt{{|.ftz}}{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"f64", "f16", "cvt{{|.sat}}.$T.$S %d, %a;", "T S"},
      {"bf16", "f32", "cvt{{.rn|.rz|.rm|.rp}}.$T.$S %d, %a;", "T S"},
      {"bf16", "f64", "cvt{{.rn|.rz|.rm|.rp}}.$T.$S %d, %a;", "T S"},
      {"bf16", "f16", "cvt{{.rn|.rz|.rm|.rp}}.$T.$S %d, %a;", "T S"},
      {"f16", "bf16", "cvt{{.rn|.rz|.rm|.rp}}.$T.$S %d, %a;", "T S"},
      {"f32 f64", "bf16", "cvt.$T.$S %d, %a;", "T S"},
      {"f16x2 bf16x2", "f32", "cvt{{.rn|.rz}}{{|.relu}}{{|.satfinite}}.$T.$S %d, %a, %b;", "T S S"},
      {"tf32", "f32", "cvt{{.rna|.rn|.rz}}{{|.relu}}{{|.satfinite}}.$T.$S %d, %a;", "T S"},
      {"e4m3x2 e5m2x2", "f32", "cvt.rn.satfinite{{|.relu}}.$T.$S %d, %a, %b;", "T S S"},
      {"e4m3x2 e5m2x2", "f16x2", "cvt.rn.satfinite{{|.relu}}.$T.$S %d, %a;", "T S"},
      {"f16x2", "e4m3x2 e5m2x2", "cvt.rn{{|.relu}}.$T.$S %d, %a;", "T S"},
      // Registers wider than the type.
      {"u8 s8 u16 s16", "f32", "cvt.rzi{{|.sat}}.$T.$S %x0, %a; mov.b32 %d, %x0;", "b32 S"},
      {"u8 s8 u16 s16 u32 s32", "u8 s8 u16 s16 u32 s32", "cvt{{|.sat}}.$T.$S %d, %a;", "b64 b64"},
      {"u32 u64", "", "cvta.global.$T %d, %a; sub.$T %d, %d, %a;", "T T"},
      {"", "",
       "isspacep.{{global|shared|local|const}} %q0, %m; isspacep.{{global|shared|local}} %q1, %g; "
       "selp.u32 %d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 b32"},
      {"b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "", "mov.$T %d, %a;", "T T"},
      {"", "", "mov.b32 %d, {%a, %b}; mov.b32 {%z0, %z1}, %c; cvt.u32.u16 %e, %z1;",
       "b32+b32 b16 b16 b32"},
      {"", "", "mov.b64 %d, {%a, %b}; mov.b64 {%x0, %e}, %c;", "b64+b32 b32 b32 b64"},
      {"", "",
       "mov.b64 %d, {%a, %b, %a, %b}; mov.b64 {%z0, %z1, %z2, %z3}, %c; cvt.u32.u16 %e, %z2;",
       "b64+b32 b16 b16 b64"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
