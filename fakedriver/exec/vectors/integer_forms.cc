// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {
namespace {

constexpr const char* kIntegers = "u16 s16 u32 s32 u64 s64";
constexpr const char* kSigned = "s16 s32 s64";
constexpr const char* kWide = "u32 s32 u64 s64";
constexpr const char* kBits = "b16 b32 b64";

}  // namespace

const std::vector<Form>& IntegerForms() {
  static const std::vector<Form> forms{
      {kIntegers, "", "{{add|sub|mul.lo|mul.hi|div|rem|min|max}}.$T %d, %a, %b;", "T T T"},
      {"u16x2 s16x2", "", "{{add|min|max}}.$T %d, %a, %b;", "T T T"},
      {"s32", "", "{{add|sub}}.sat.$T %d, %a, %b;", "T T T"},
      {"s16x2", "", "{{min|max}}.relu.$T %d, %a, %b;", "T T T"},
      {"s32", "", "{{min|max}}.relu.$T %d, %a, %b;", "T T T"},
      {"u16 s16 u32 s32", "", "mul.wide.$T %d, %a, %b;", "W T T"},
      {kIntegers, "", "mad.{{lo|hi}}.$T %d, %a, %b, %c;", "T T T T"},
      {"u16 s16 u32 s32", "", "mad.wide.$T %d, %a, %b, %c;", "W T T W"},
      {"s32", "", "mad.hi.sat.$T %d, %a, %b, %c;", "T T T T"},
      {"u32 s32", "", "mul24.{{lo|hi}}.$T %d, %a, %b;", "T T T"},
      {"u32 s32", "", "mad24.{{lo|hi}}.$T %d, %a, %b, %c;", "T T T T"},
      {"s32", "", "mad24.hi.sat.$T %d, %a, %b, %c;", "T T T T"},
      {kIntegers, "", "sad.$T %d, %a, %b, %c;", "T T T T"},
      {kSigned, "", "{{abs|neg}}.$T %d, %a;", "T T"},
      // The condition code is read by the instruction that follows.
      {kWide, "", "add.cc.$T %d, %a, %b; addc.$T %e, %c, %a;", "T+T T T T"},
      {kWide, "", "sub.cc.$T %d, %a, %b; subc.$T %e, %c, %a;", "T+T T T T"},
      {kWide, "", "add.cc.$T %d, %a, %b; addc.cc.$T %d, %d, %c; addc.$T %e, %a, 0;", "T+T T T T"},
      {kWide, "", "sub.cc.$T %d, %a, %b; subc.cc.$T %d, %d, %c; subc.$T %e, %a, 0;", "T+T T T T"},
      {kWide, "", "mad.{{lo|hi}}.cc.$T %d, %a, %b, %c; addc.$T %e, %a, 0;", "T+T T T T"},
      {kWide, "", "add.cc.$T %d, %a, %b; madc.{{lo|hi}}.cc.$T %d, %a, %b, %c; addc.$T %e, 0, 0;",
       "T+T T T T"},
      {kWide, "", "sub.cc.$T %d, %a, %b; madc.{{lo|hi}}.$T %d, %a, %b, %c;", "T T T T"},
      {"u32 s32", "u32 s32", "dp4a.$T.$S %d, %a, %b, %c;", "s32 b32 b32 b32"},
      {"u32 s32", "u32 s32", "dp2a.{{lo|hi}}.$T.$S %d, %a, %b, %c;", "s32 b32 b32 b32"},
      {kBits, "", "{{and|or|xor}}.$T %d, %a, %b;", "T T T"},
      {kBits, "", "{{not|cnot}}.$T %d, %a;", "T T"},
      {"", "",
       "setp.lt.u32 %q0, %a, %b; setp.lt.s32 %q1, %b, %a; {{and|or|xor}}.pred %q2, %q0, %q1; "
       "not.pred %q3, %q2; selp.u32 %d, 1, 0, %q2; selp.u32 %e, 1, 0, %q3;",
       "u32+u32 b32 b32"},
      {"", "",
       "lop3.b32 %d, %a, %b, %c, "
       "{{0x00|0x01|0x1b|0x2d|0x40|0x6a|0x80|0x96|0xb2|0xca|0xe8|0xf8|0xfe|"
       "0xff}};",
       "b32 b32 b32 b32"},
      {"", "",
       "setp.lt.u32 %q0, %a, %b; lop3.{{or|and}}.b32 %d|%q1, %a, %b, %c, {{0x80|0x96}}, %q0; "
       "selp.u32 %e, 1, 0, %q1;",
       "b32+u32 b32 b32 b32"},
      {kBits, "", "shl.$T %d, %a, %b;", "T T shift"},
      {"b16 b32 b64 u16 u32 u64 s16 s32 s64", "", "shr.$T %d, %a, %b;", "T T shift"},
      {"", "", "shf.{{l|r}}.{{wrap|clamp}}.b32 %d, %a, %b, %c;", "b32 b32 b32 shift"},
      {"", "", "prmt.b32{{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}} %d, %a, %b, %c;", "b32 b32 b32 b32"},
      {kWide, "", "bfe.$T %d, %a, %b, %c;", "T T shift shift"},
      {"b32 b64", "", "mov.u32 %x0, 40; cvt.u32.u64 %x1, %m; bfi.$T %d, %a, %a, %b, %c;",
       "T T shift shift"},
      {"b32 b64", "", "bfi.$T %d, %a, %b, %c, {{0|1|8|31|32|40|64|255}};", "T T T shift"},
      {"", "", "bmsk.{{clamp|wrap}}.b32 %d, %a, %b;", "b32 shift shift"},
      {"u32 s32", "", "szext.{{clamp|wrap}}.$T %d, %a, %b;", "T T shift"},
      {"", "", "and.b32 %x0, %b, 31; sub.s32 %x1, %c, 40; fns.b32 %d, %a, %x0, %x1;",
       "b32 b32 b32 shift"},
      {"b32 b64", "", "{{popc|clz}}.$T %d, %a;", "u32 T"},
      {"b32 b64", "", "brev.$T %d, %a;", "T T"},
      {kWide, "", "bfind.{{|shiftamt.}}$T %d, %a;", "u32 T"},
      {"u16 s16 u32 s32 u64 s64 b16 b32 b64", "",
       "setp.{{eq|ne}}.$T %q0|%q1, %a, %b; selp.u32 %d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T"},
      {kIntegers, "",
       "setp.{{lt|le|gt|ge}}.$T %q0|%q1, %a, %b; selp.u32 %d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T"},
      {"u16 u32 u64", "", "setp.{{lo|ls|hi|hs}}.$T %q0, %a, %b; selp.u32 %d, 1, 0, %q0;",
       "u32 T T"},
      {kIntegers, "",
       "setp.lt.s32 %q2, %c, 0; setp.{{lt|ge}}.{{and|or|xor}}.$T %q0|%q1, %a, %b, {{|!}}%q2; "
       "selp.u32 "
       "%d, 1, 0, %q0; selp.u32 %e, 1, 0, %q1;",
       "u32+u32 T T s32"},
      {"u32 s32", "u16 s16 u32 s32 u64 s64", "set.{{eq|ne|lt|le|gt|ge}}.$T.$S %d, %a, %b;",
       "T S S"},
      {"f32", kIntegers, "set.{{eq|lt|ge}}.$T.$S %d, %a, %b;", "T S S"},
      {"u32", "b16 b32 b64", "set.{{eq|ne}}.$T.$S %d, %a, %b;", "T S S"},
      {"u32", "s32", "setp.lt.s32 %q0, %c, 0; set.lt.{{and|or|xor}}.$T.$S %d, %a, %b, %q0;",
       "T S S s32"},
      {"b16 b32 b64 u16 u32 u64 s16 s32 s64", "",
       "setp.lt.s32 %q0, %c, 0; selp.$T %d, %a, %b, %q0;", "T T T s32"},
      {"b16 b32 b64 u16 u32 u64 s16 s32 s64", "s32 f32", "slct.$T.$S %d, %a, %b, %c;", "T T T S"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
