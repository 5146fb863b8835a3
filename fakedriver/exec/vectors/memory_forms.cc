// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics: each thread on bytes of its own, so that results do not depend on the
// order of threads.
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {
namespace {

constexpr const char* kLoads = "u8 s8 b8 u16 s16 b16 u32 s32 b32 f32 u64 s64 b64 f64";
// What a 64-bit register may be stored as.
constexpr const char* kStores = "u8 s8 b8 u16 s16 b16 u32 s32 b32 u64 s64 b64 f64";

}  // namespace

const std::vector<Form>& MemoryForms() {
  static const std::vector<Form> forms{
      {kLoads, "", "st.global.b64 [%m], %a; ld{{.global|}}.$T %d, [%m];", "T b64"},
      {kLoads, "", "st.shared.b64 [%n], %a; ld{{.shared.$T %d, [%n]|.$T %d, [%g]}};", "T b64"},
      {kLoads, "", "st.global.b64 [%m], %a; ld{{.global|.global.ca|.volatile.global}}.$T %d, [%m];",
       "b64 b64"},
      {kLoads, "",
       "ld.param.u64 %y0, [a]; mad.wide.u32 %y0, %i, 8, %y0; ld.global.nc.$T %d, [%y0];",
       "b64 b64"},
      {kStores, "",
       "st.global.b64 [%m+8], %a; st{{.global|.volatile.global|.global.wb}}.$T [%m+8], %b; "
       "ld{{.global|}}.b64 %d, [%m+8];",
       "b64 b64 b64"},
      {kStores, "",
       "st.shared.b64 [%n+16], %a; st{{.shared.$T [%n+16]|.$T [%g+16]}}, %b; ld.b64 %d, [%g+16];",
       "b64 b64 b64"},
      {kStores, "",
       "st.local.b64 [local_slot+8], %a; st.local.$T [local_slot+8], %b; ld.local.$T %d, "
       "[local_slot+8]; "
       "ld.local.b64 %e, [local_slot+8];",
       "b64+b64 b64 b64"},
      {kLoads, "",
       "mov.u64 %y0, local_slot; cvta.local.u64 %p, %y0; st.b64 [%p], %a; "
       "ld.$T %d, [%p];",
       "b64 b64"},
      {"b8 b16 b32", "",
       "{{st.global.b64 [%m], %a; ld.v2.$T {%d, %x1}, [%m]|st.shared.b64 [%n], %a; ld.v2.$T {%d, "
       "%x1}, [%g]}}; "
       "cvt.u64.u32 %e, %x1;",
       "b32+b64 b64"},
      {"u8 s8 u16 u32", "",
       "st.global.b64 [%m], %a; st.global.b64 [%m+8], %b; ld.global.v4.$T {%d, %x1, %e, %x2}, "
       "[%m]; "
       "add.u32 %d, %d, %x1; xor.b32 %e, %e, %x2;",
       "b32+b32 b64 b64"},
      {"b32", "",
       "{{st.global.v4.$T [%m], {%a, %b, %c, %a}; ld.b64 %d, [%m+8]|st.shared.v4.$T [%n], {%a, %b, "
       "%c, %a}; "
       "ld.b64 %d, [%g]}};",
       "b64 b32 b32 b32"},
      {"b64", "", "st.global.v2.$T [%m], {%a, %b}; ld.global.v2.u64 {%e, %d}, [%m];",
       "b64+b64 b64 b64"},
      {"b32 b64 f32", "", "st.global.b64 [%m], %a; ldu.global.$T %d, [%m];", "T b64"},
      {"u32 s32 u64 s64", "",
       "st.global.$T [%m], %a; atom{{.global|}}.{{add|min|max}}.$T %d, [%m], %b; ld.global.$T %e, "
       "[%m];",
       "T+T T T"},
      {"b32 b64", "",
       "st.shared.$T [%n], %a; atom.shared.{{and|or|xor|exch}}.$T %d, [%n], %b; ld.shared.$T %e, "
       "[%n];",
       "T+T T T"},
      {"b32 b64", "",
       "st.global.$T [%m], %a; atom.global.{{and|or|xor|exch}}.$T %d, [%m], %b; ld.global.$T %e, "
       "[%m];",
       "T+T T T"},
      {"u32", "",
       "st.global.$T [%m], %a; atom.global.{{inc|dec}}.$T %d, [%m], %b; ld.global.$T %e, [%m];",
       "T+T T T"},
      {"u32", "",
       "st.shared.$T [%n], %a; atom.shared.{{inc|dec|add|min|max}}.$T %d, [%n], %b; ld.shared.$T "
       "%e, [%n];",
       "T+T T T"},
      {"b16 b32 b64", "",
       "st.global.$T [%m], %a; atom.global.cas.$T %d, [%m], %b, %c; ld.global.$T %e, [%m];",
       "T+T T T T"},
      {"b16 b32 b64", "",
       "st.shared.$T [%n], %a; mov.$T %e, %a; atom.shared.cas.$T %d, [%n], %e, %c; ld.shared.$T "
       "%e, [%n];",
       "T+T T T T"},
      {"f32 f64", "",
       "st.global.$T [%m], %a; atom.global.add.$T %d, [%m], %b; ld.global.$T %e, [%m];", "T+T T T"},
      {"f32 f64", "",
       "st.shared.$T [%n], %a; atom.shared.add.$T %d, [%n], %b; ld.shared.$T %e, [%n];", "T+T T T"},
      {"f16 f16x2 bf16 bf16x2", "",
       "st.global.b$N [%m], %a; atom.global.add.noftz.$T %d, [%m], %b; ld.global.b$N %e, [%m];",
       "T+T T T"},
      {"f16x2 bf16x2", "",
       "st.global.b$N [%m], %a; red.global.add.noftz.$T [%m], %b; ld.global.b$N %d, [%m];",
       "T T T"},
      {"u32 s32 u64 s64", "",
       "st.global.$T [%m], %a; red.global.{{add|min|max}}.$T [%m], %b; ld.global.$T %d, [%m];",
       "T T T"},
      {"b32 b64", "",
       "st.shared.$T [%n], %a; red.shared.{{and|or|xor}}.$T [%n], %b; ld.shared.$T %d, [%n];",
       "T T T"},
      {"u32", "",
       "st.global.$T [%m], %a; red.global.{{inc|dec}}.$T [%m], %b; ld.global.$T %d, [%m];",
       "T T T"},
      {"f32 f64", "", "st.global.$T [%m], %a; red.global.add.$T [%m], %b; ld.global.$T %d, [%m];",
       "T T T"},
      {"u32", "",
       "st.global.$T [%m], %a; "
       "atom{{.relaxed|.acquire|.release|.acq_rel}}{{.cta|.gpu|.sys}}.global.add.$T %d, "
       "[%m], %b; ld.relaxed.gpu.global.$T %e, [%m];",
       "T+T T T"},
      {"u32 u64", "",
       "st{{.relaxed|.release}}{{.cta|.gpu|.sys}}.global.$T [%m], %a; fence{{.sc|.acq_rel}}.gpu; "
       "ld{{.relaxed|.acquire}}.sys.global.$T %d, [%m];",
       "T T"},
      {"u32", "",
       "st.global.$T [%m], %a; membar.{{cta|gl|sys}}; ld.global.$T %d, [%m]; prefetch.global.L2 "
       "[%m];",
       "T T"},
      {"u32", "",
       "st.global.v2.$T [%m], {%a, %b}; fence.acq_rel.cta; cp.async.ca.shared.global [%n], [%m], "
       "{{4|8}}; "
       "cp.async.commit_group; cp.async.wait_group 0; ld.shared.$T %d, [%n];",
       "T T T"},
      {"u32", "",
       "st.shared.v2.$T [%n], {%b, %b}; st.global.v2.$T [%m], {%a, %b}; fence.acq_rel.cta; "
       "cp.async.ca.shared.global [%n], [%m], 8, {{0|4|8}}; cp.async.wait_all; ld.shared.v2.$T "
       "{%d, %e}, [%n];",
       "T+T T T"},
      {"u32", "",
       "st.global.$T [%m], %a; createpolicy.fractional.L2::evict_last.b64 %y0, 1.0; "
       "ld.global.L2::cache_hint.$T %d, [%m], %y0;",
       "T T"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
