// SPDX-License-Identifier: Apache-2.0
//
// Instructions by which the threads of a warp or a block see each other; every lane takes part.
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {

const std::vector<Form>& WarpForms() {
  static const std::vector<Form> forms{
      {"", "",
       "shfl.sync.{{up|down|bfly|idx}}.b32 %d|%q0, %a, %b, {{0|31|7|0x1f1f|0x181f|0x1c03}}, "
       "0xffffffff; "
       "selp.u32 %e, 1, 0, %q0;",
       "b32+u32 b32 shift"},
      {"", "",
       "setp.lt.s32 %q0, %a, %b; vote.sync.{{all|any|uni}}.pred %q1, {{|!}}%q0, -1; selp.u32 %d, "
       "1, 0, %q1;",
       "u32 b32 b32"},
      {"", "", "setp.lt.s32 %q0, %a, %b; vote.sync.ballot.b32 %d, {{|!}}%q0, 0xffffffff;",
       "b32 b32 b32"},
      {"b32 b64", "", "and.$T %a, %a, 3; match.any.sync.$T %d, %a, 0xffffffff;", "b32 T"},
      {"b32 b64", "",
       "setp.lt.s32 %q1, %b, 0; vote.sync.any.pred %q2, %q1, -1; selp.$T %a, %a, 5, %q2; "
       "match.all.sync.$T %d|%q0, %a, 0xffffffff; selp.u32 %e, 1, 0, %q0;",
       "b32+u32 T few"},
      {"u32 s32", "", "redux.sync.{{add|min|max}}.$T %d, %a, 0xffffffff;", "T T"},
      {"b32", "", "redux.sync.{{and|or|xor}}.$T %d, %a, 0xffffffff;", "T T"},
      {"f32", "", "redux.sync.{{min|max}}{{|.abs}}{{|.NaN}}.$T %d, %a, 0xffffffff;", "T T"},
      {"", "", "activemask.b32 %d; mov.u32 %e, %laneid;", "b32+b32 b32"},
      {"", "", "elect.sync %d|%q0, 0xffffffff; selp.u32 %e, 1, 0, %q0;", "b32+u32 b32"},
      // Lanes of one half only.
      {"", "",
       "mov.u32 %x0, %laneid; setp.lt.u32 %q0, %x0, 16; mov.b32 %d, 0; @%q0 "
       "shfl.sync.{{up|down|bfly|idx}}.b32 "
       "%d, %a, 3, 0x101f, 0x0000ffff; bar.warp.sync 0xffffffff;",
       "b32 b32"},
      {"", "",
       "mov.u32 %x0, %laneid; setp.lt.u32 %q0, %x0, 16; mov.b32 %d, 0; setp.lt.s32 %q1, %a, 0; "
       "@!%q0 vote.sync.ballot.b32 %d, %q1, 0xffff0000; bar.warp.sync -1;",
       "b32 b32"},
      {"", "",
       "setp.lt.s32 %q0, %a, 0x60000000; bar.red.{{and|or}}.pred %q1, 0, {{|!}}%q0; selp.u32 %d, "
       "1, 0, %q1;",
       "u32 b32"},
      {"", "", "setp.lt.s32 %q0, %a, 0; bar.red.popc.u32 %d, 0, {{|!}}%q0;", "u32 b32"},
      {"", "", "setp.lt.s32 %q0, %a, 0; barrier.cta.red.popc{{|.aligned}}.u32 %d, 1, 128, %q0;",
       "u32 b32"},
      {"", "",
       "st.shared.u32 [%n], %a; {{bar.sync 0|barrier.sync 2|bar.sync 1, "
       "128|barrier.cta.sync.aligned 3}}; "
       "mov.u32 %x0, shared_slots; xor.b32 %x1, %t1, 77; mad.lo.u32 %x0, %x1, 32, %x0; "
       "ld.shared.u32 %d, [%x0];",
       "u32 u32"},
      {"", "",
       "mov.u32 %d, "
       "%{{tid.x|ntid.x|ctaid.x|nctaid.x|laneid|lanemask_eq|lanemask_lt|lanemask_le|lanemask_gt|"
       "lanemask_ge|tid.y|ntid.z|nctaid.y}};",
       "u32 u32"},
      {"", "",
       "setp.lt.s32 %q0, %a, 0; @%q0 bra L1; add.u32 %d, %b, 1; bra.uni L2; L1: sub.u32 %d, %b, 7; "
       "L2:",
       "u32 u32 u32"},
      {"", "",
       "and.b32 %x0, %a, 3; ts: .branchtargets L0, L1, L2, L3; brx.idx %x0, ts; L0: mov.u32 %d, 5; "
       "bra.uni L4; L1: "
       "add.u32 %d, %b, 6; bra.uni L4; L2: mul.lo.u32 %d, %b, %b; bra.uni L4; L3: not.b32 %d, %b; "
       "L4:",
       "u32 u32 u32"},
      {"", "",
       "mov.u32 %d, 0; and.b32 %x0, %a, 31; L1: mad.lo.u32 %d, %d, 3, %b; sub.u32 %x0, %x0, 1; "
       "setp.ge.s32 %q0, %x0, 0; @%q0 bra L1;",
       "u32 u32 u32"},
      {"", "",
       "setp.lt.s32 %q0, %a, 0; mov.u32 %d, %b; @{{|!}}%q0 add.u32 %d, %d, 3; nanosleep.u32 10;",
       "u32 u32 u32"},
      {"", "",
       "mov.b64 %y1, 32; st.shared.b64 [shared_slots], %y1; bar.sync 0; setp.eq.u32 %q0, %t1, 0; "
       "@%q0 "
       "mbarrier.init.shared.b64 [shared_slots], 128; bar.sync 0; mbarrier.arrive.shared.b64 %y0, "
       "[shared_slots]; "
       "L1: mbarrier.{{test_wait|try_wait}}.shared.b64 %q1, [shared_slots], %y0; @!%q1 bra L1; "
       "selp.u32 %d, 1, 0, %q1;",
       "u32 u32"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
