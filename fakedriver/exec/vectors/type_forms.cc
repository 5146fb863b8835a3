// SPDX-License-Identifier: Apache-2.0
//
// Which types an instruction takes and which registers fit them: nothing is computed, a case says
// whether the compiler accepts it.
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {
namespace {

constexpr const char* kOfInstruction = "b16 s16 u16 f16 bf16 b32 u32 s32 f32 f16x2 b64 u64 f64";
constexpr const char* kOfRegister = "b16 u16 f16 b32 u32 s32 f32 f16x2 b64 s64 f64";
constexpr const char* kAll =
    "b16 u16 s16 b32 u32 s32 b64 u64 s64 f16 bf16 f16x2 bf16x2 u16x2 s16x2 f32 f64";

}  // namespace

const std::vector<Form>& TypeForms() {
  static const std::vector<Form> forms{
      // A register of each type in an instruction of each type.
      {kOfInstruction, kOfRegister,
       ".reg .$S %v<3>; {{add|min|and}}.$T %v0, %v1, %v2; mov.u32 %d, 1;", "u32"},
      {kOfInstruction, kOfRegister, ".reg .$S %v<3>; {{mov|neg}}.$T %v0, %v1; mov.u32 %d, 1;",
       "u32"},
      {kOfInstruction, kOfRegister, ".reg .$S %v<3>; selp.$T %v0, %v1, %v2, %q0; mov.u32 %d, 1;",
       "u32"},
      {kOfInstruction, kOfRegister, ".reg .$S %v<3>; setp.eq.$T %q0, %v1, %v2; mov.u32 %d, 1;",
       "u32"},
      {kOfInstruction, kOfRegister, ".reg .$S %v<3>; ld.global.$T %v0, [%m]; mov.u32 %d, 1;",
       "u32"},
      {kOfInstruction, kOfRegister, ".reg .$S %v<3>; st.global.$T [%m], %v1; mov.u32 %d, 1;",
       "u32"},
      {kOfInstruction, kOfRegister,
       ".reg .$S %v<3>; atom.global.exch.$T %v0, [%m], %v1; mov.u32 %d, 1;", "u32"},
      {"u16 s32 u64 f16 f32 f64", kOfRegister,
       ".reg .$S %v<3>; cvt{{.u32.$T %x0, %v1|.$T.u32 %v0, %x1}}; mov.u32 %d, 1;", "u32"},
      // Every type for every operation; registers are of bits.
      {kAll, "",
       ".reg .b$N %v<5>; {{add|sub|mul|mul.lo|mul.hi|div|rem|min|max|and|or|xor|copysign}}.$T %v0, "
       "%v1, %v2; mov.u32 %d, 1;",
       "u32"},
      {kAll, "",
       ".reg .b$N %v<5>; {{add|sub|mul|div|min|max|fma}}.{{rn|ftz|sat|NaN|relu}}.$T %v0, %v1, %v2; "
       "mov.u32 %d, 1;",
       "u32"},
      {kAll, "",
       ".reg .b$N %v<5>; {{fma.rn|mad.lo|mad.rn|fma|mad|sad|fma.rn.relu|fma.rn.sat}}.$T %v0, %v1, "
       "%v2, %v3; mov.u32 %d, 1;",
       "u32"},
      {kAll, "",
       ".reg .b$N %v<5>; "
       "{{abs|neg|not|cnot|brev|mov|rcp.rn|sqrt.rn|rsqrt.approx|sin.approx|lg2.approx|ex2.approx|"
       "tanh.approx|abs.ftz|neg.ftz|ex2.approx.ftz}}.$T %v0, %v1; mov.u32 %d, 1;",
       "u32"},
      {kAll, "", ".reg .b$N %v<5>; {{popc|clz|bfind}}.$T %x0, %v1; mov.u32 %d, 1;", "u32"},
      {kAll, "", ".reg .b$N %v<5>; {{shl|shr}}.$T %v0, %v1, %x1; mov.u32 %d, 1;", "u32"},
      {kAll, "",
       ".reg .b$N %v<5>; {{setp.eq|setp.lt|setp.ltu|setp.lo|setp.num}}.$T %q0, %v1, %v2; mov.u32 "
       "%d, 1;",
       "u32"},
      {kAll, "", ".reg .b$N %v<5>; selp.$T %v0, %v1, %v2, %q0; mov.u32 %d, 1;", "u32"},
      {kAll, "", ".reg .b$N %v<5>; testp.normal.$T %q0, %v1; mov.u32 %d, 1;", "u32"},
      {kAll, "", ".reg .b$N %v<5>; ld.global.$T %v0, [%m]; mov.u32 %d, 1;", "u32"},
      {kAll, "", ".reg .b$N %v<5>; st.global.$T [%m], %v1; mov.u32 %d, 1;", "u32"},
      {kAll, "",
       ".reg .b$N %v<5>; atom.global.{{add|min|max|and|or|xor|inc|dec|exch|add.noftz}}.$T %v0, "
       "[%m], %v1; mov.u32 %d, 1;",
       "u32"},
      {kAll, "",
       ".reg .b$N %v<5>; red.global.{{add|min|max|and|or|xor|inc|dec|exch|add.noftz}}.$T [%m], "
       "%v1; mov.u32 %d, 1;",
       "u32"},
      {kAll, "", ".reg .b$N %v<5>; atom.global.cas.$T %v0, [%m], %v1, %v2; mov.u32 %d, 1;", "u32"},
      {kAll, "", ".reg .b$N %v<5>; redux.sync.{{add|min|and}}.$T %v0, %v1, -1; mov.u32 %d, 1;",
       "u32"},
      {kAll, "", ".reg .b$N %v<5>; match.any.sync.$T %x0, %v1, -1; mov.u32 %d, 1;", "u32"},
      {kAll, "", ".reg .b$N %v<5>; shfl.sync.up.$T %v0, %v1, 1, 0, -1; mov.u32 %d, 1;", "u32"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
