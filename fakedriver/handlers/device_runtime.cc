// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/device_runtime.h"

namespace culprit::fakedriver::handlers {

bool IsDeviceRuntimeLibrary(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.starts_with("!<arch>\n") && text.find("cuda_device_runtime.o/") != text.npos;
}

bool IsDeviceRuntimeText(std::string_view ptx) {
  return ptx.find("__cuda_syscall_CGS_sync") != ptx.npos;
}

// A grid's barrier is one word of the workspace that a cooperative launch has. Every block adds 1
// to it, the first block so much that all together turn the top bit: who sees it turned knows that
// all have come.
std::string_view DeviceRuntimeText() {
  return R"(.version 6.3
.target sm_70
.address_size 64

.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.b32 %r0, [scope];
  mov.u32 %r1, %envreg1;
  mov.u32 %r2, %envreg2;
  mov.b64 %rd0, {%r2, %r1};
  setp.eq.s32 %p0, %r0, 1;
  selp.b64 %rd1, %rd0, 0, %p0;
  st.param.b64 [handle], %rd1;
  ret;
}

.visible .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<2>;
  ld.param.b64 %rd0, [handle];
  setp.eq.s64 %p0, %rd0, 0;
  @%p0 bra NONE;
  cvta.to.global.u64 %rd1, %rd0;
  barrier.sync 0;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %tid.y;
  or.b32 %r0, %r0, %r1;
  mov.u32 %r1, %tid.z;
  or.b32 %r0, %r0, %r1;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra WAIT;
  mov.u32 %r2, %nctaid.x;
  mov.u32 %r3, %nctaid.y;
  mul.lo.u32 %r2, %r2, %r3;
  mov.u32 %r3, %nctaid.z;
  mul.lo.u32 %r2, %r2, %r3;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ctaid.y;
  or.b32 %r4, %r4, %r5;
  mov.u32 %r5, %ctaid.z;
  or.b32 %r4, %r4, %r5;
  mov.u32 %r6, 0x80000001;
  sub.u32 %r7, %r6, %r2;
  setp.eq.u32 %p2, %r4, 0;
  selp.u32 %r8, %r7, 1, %p2;
  fence.acq_rel.gpu;
  atom.add.release.gpu.global.u32 %r9, [%rd1+4], %r8;
LOOP:
  ld.acquire.gpu.global.u32 %r10, [%rd1+4];
  xor.b32 %r11, %r10, %r9;
  setp.ge.s32 %p3, %r11, 0;
  @%p3 bra LOOP;
WAIT:
  barrier.sync 0;
  st.param.b32 [error], 0;
  ret;
NONE:
  st.param.b32 [error], 1;
  ret;
}
)";
}

}  // namespace culprit::fakedriver::handlers
