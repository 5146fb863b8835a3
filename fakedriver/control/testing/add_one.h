// SPDX-License-Identifier: Apache-2.0
//
// The kernel of programs that care for its launches and not for what it does.
#ifndef FAKEDRIVER_CONTROL_TESTING_ADD_ONE_H_
#define FAKEDRIVER_CONTROL_TESTING_ADD_ONE_H_

#include <string_view>

namespace culprit::fakedriver::testing {

// PTX without a header: add_one(data, count) adds one to each of `count` words, and beside it is a
// variable.
inline constexpr std::string_view kAddOne = R"(
.global .align 4 .u32 counter = 41;
.visible .entry add_one(.param .u64 data, .param .u32 count)
{
  .reg .pred %past; .reg .b32 %r<6>; .reg .b64 %a<4>;
  ld.param.u64 %a0, [data]; ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %past, %r4, %r0; @%past bra END;
  cvta.to.global.u64 %a1, %a0; mul.wide.u32 %a2, %r4, 4; add.u64 %a3, %a1, %a2;
  ld.global.u32 %r5, [%a3]; add.u32 %r5, %r5, 1; st.global.u32 [%a3], %r5;
END: ret;
}
)";

}  // namespace culprit::fakedriver::testing

#endif  // FAKEDRIVER_CONTROL_TESTING_ADD_ONE_H_
