// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {
namespace {

constexpr const char* kHalves = "f16 f16x2 bf16 bf16x2";
constexpr const char* kF16 = "f16 f16x2";
constexpr const char* kBf16 = "bf16 bf16x2";

}  // namespace

const std::vector<Form>& FloatForms() {
  static const std::vector<Form> forms{
      {"f32", "", "{{add|sub|mul}}{{|.rn|.rz|.rm|.rp}}{{|.ftz}}{{|.sat}}.$T %d, %a, %b;", "T T T"},
      {"f64", "", "{{add|sub|mul}}{{|.rn|.rz|.rm|.rp}}.$T %d, %a, %b;", "T T T"},
      {"f32", "", "{{fma|mad}}{{.rn|.rz|.rm|.rp}}{{|.ftz}}{{|.sat}}.$T %d, %a, %b, %c;", "T T T T"},
      {"f64", "", "{{fma|mad}}{{.rn|.rz|.rm|.rp}}.$T %d, %a, %b, %c;", "T T T T"},
      {"f32x2", "", "{{add|sub|mul}}{{|.rn|.rz|.rm|.rp}}{{|.ftz}}.$T %d, %a, %b;", "T T T"},
      {"f32x2", "", "fma{{.rn|.rz|.rm|.rp}}{{|.ftz}}.$T %d, %a, %b, %c;", "T T T T"},
      {kF16, "", "{{add|sub|mul}}{{|.rn}}{{|.ftz}}{{|.sat}}.$T %d, %a, %b;", "T T T"},
      {kBf16, "", "{{add|sub|mul}}{{|.rn}}.$T %d, %a, %b;", "T T T"},
      {kF16, "", "fma.rn{{|.ftz}}{{|.sat|.relu}}.$T %d, %a, %b, %c;", "T T T T"},
      {kBf16, "", "fma.rn{{|.relu}}.$T %d, %a, %b, %c;", "T T T T"},
      {kHalves, "", "fma.rn.oob{{|.relu}}.$T %d, %a, %b, %c;", "T T T T"},
      {"f32", "", "div{{.rn|.rz|.rm|.rp|.approx|.full}}{{|.ftz}}.$T %d, %a, %b;", "T T T"},
      {"f64", "", "div{{.rn|.rz|.rm|.rp}}.$T %d, %a, %b;", "T T T"},
      {"f32", "", "{{rcp|sqrt}}{{.rn|.rz|.rm|.rp|.approx}}{{|.ftz}}.$T %d, %a;", "T T"},
      {"f64", "", "{{rcp|sqrt}}{{.rn|.rz|.rm|.rp}}.$T %d, %a;", "T T"},
      {"f64", "", "{{rcp.approx.ftz|rsqrt.approx.ftz|rsqrt.approx}}.$T %d, %a;", "T T"},
      {"f32", "", "{{rsqrt|sin|cos|lg2|ex2}}.approx{{|.ftz}}.$T %d, %a;", "T T"},
      {"f32", "", "tanh.approx.$T %d, %a;", "T T"},
      {kF16, "", "{{ex2|tanh}}.approx.$T %d, %a;", "T T"},
      {kBf16, "", "{{ex2.approx.ftz|tanh.approx}}.$T %d, %a;", "T T"},
      {"f32", "", "{{abs|neg}}{{|.ftz}}.$T %d, %a;", "T T"},
      {"f64 bf16 bf16x2", "", "{{abs|neg}}.$T %d, %a;", "T T"},
      {kF16, "", "{{abs|neg}}{{|.ftz}}.$T %d, %a;", "T T"},
      {"f32", "", "{{min|max}}{{|.ftz}}{{|.NaN}}{{|.xorsign.abs}}.$T %d, %a, %b;", "T T T"},
      {"f32", "", "{{min|max}}{{|.ftz}}{{|.NaN}}{{|.abs}}.$T %d, %a, %b, %c;", "T T T T"},
      {"f64", "", "{{min|max}}.$T %d, %a, %b;", "T T T"},
      {kF16, "", "{{min|max}}{{|.ftz}}{{|.NaN}}{{|.xorsign.abs}}.$T %d, %a, %b;", "T T T"},
      {kBf16, "", "{{min|max}}{{|.NaN}}{{|.xorsign.abs}}.$T %d, %a, %b;", "T T T"},
      {"f32 f64", "",
       "testp.{{finite|infinite|number|notanumber|normal|subnormal}}.$T %q0, %a; selp.u32 %d, 1, "
       "0, %q0;",
       "u32 T"},
      {"f32 f64", "", "copysign.$T %d, %a, %b;", "T T T"},
      {"f32", "",
       "setp.{{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}}{{|.ftz}}.$T %q0|%q1, %a, %b; "
       "selp.u32 %d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T"},
      {"f64 bf16", "",
       "setp.{{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}}.$T %q0|%q1, %a, %b; "
       "selp.u32 %d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T"},
      {"f16", "",
       "setp.{{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}}{{|.ftz}}.$T %q0, %a, %b; "
       "selp.u32 %d, 1, 0, %q0;",
       "u32 T T"},
      {"f16x2 bf16x2", "",
       "setp.{{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}}.$T %q0|%q1, %a, %b; "
       "selp.u32 %d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T"},
      {"f32 f64", "",
       "setp.lt.s32 %q2, %c, 0; setp.lt.{{and|or|xor}}.$T %q0|%q1, %a, %b, %q2; selp.u32 %d, 1, 0, "
       "%q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T s32"},
      {"u32 s32 f32", "f32 f64", "set.{{eq|ne|lt|ge|ltu|geu|num|nan}}.$T.$S %d, %a, %b;", "T S S"},
      {"u32", "f32", "set.{{eq|lt|geu}}.ftz.$T.$S %d, %a, %b;", "T S S"},
      {"u16 s16 u32 s32", "f16 bf16", "set.{{eq|ne|lt|ge|ltu|geu|num|nan}}.$T.$S %d, %a, %b;",
       "T S S"},
      {"f16", "f16", "set.{{eq|lt|geu}}{{|.ftz}}.$T.$S %d, %a, %b;", "T S S"},
      {"bf16", "bf16", "set.{{eq|lt|geu}}.$T.$S %d, %a, %b;", "T S S"},
      {"f16x2", "f16x2", "set.{{eq|ne|lt|ge|ltu|geu|num|nan}}{{|.ftz}}.$T.$S %d, %a, %b;", "T S S"},
      {"bf16x2", "bf16x2", "set.{{eq|ne|lt|ge|ltu|geu|num|nan}}.$T.$S %d, %a, %b;", "T S S"},
      {"f32 f64", "", "setp.lt.s32 %q0, %c, 0; selp.$T %d, %a, %b, %q0;", "T T T s32"},
      {"f32 f64", "s32 f32", "slct.$T.$S %d, %a, %b, %c;", "T T T S"},
      {"f32", "f32", "slct.ftz.$T.$S %d, %a, %b, %c;", "T T T S"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
