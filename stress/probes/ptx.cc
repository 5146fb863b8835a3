// SPDX-License-Identifier: Apache-2.0
#include "stress/probes/ptx.h"

#include <fmt/format.h>

namespace culprit::stress {

std::string SmallModule(int addend, size_t table_bytes) {
  // Doubled braces are single ones in the text.
  return fmt::format(R"(
.version 7.0
.target sm_52
.address_size 64

.visible .global .align 4 .b8 table[{}];

.visible .entry add_one(.param .u64 data, .param .u32 count)
{{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;

  ld.param.u64 %rd0, [data];
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  cvta.to.global.u64 %rd1, %rd0;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  add.s32 %r5, %r5, {};
  st.global.u32 [%rd3], %r5;
done:
  ret;
}}
)",
                     table_bytes, addend);
}

}  // namespace culprit::stress
