// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/interposer/stack_depth.h"

#include <string_view>

#include "fakedriver/core/inspect.h"
#include "fakedriver/interposer/vendor_driver.h"

namespace culprit::fakedriver {
namespace interposer {
namespace {

thread_local constinit uint32_t depth = 0;
thread_local constinit uint64_t noted_context = 0;

uint64_t CurrentContext() {
  auto* get_current =
      reinterpret_cast<decltype(&cuCtxGetCurrent)>(VendorAddress(ApiId::cuCtxGetCurrent));
  CUcontext current = nullptr;
  if (get_current == nullptr || get_current(&current) != CUDA_SUCCESS) return 0;
  return reinterpret_cast<uint64_t>(current);
}

bool Is(ApiId id, std::string_view lookup) { return lookup == Info(id).lookup; }

void Pop() {
  if (depth != 0) --depth;
}

}  // namespace

bool ChangesStack(ApiId id) {
  return Is(id, "cuCtxPushCurrent") || Is(id, "cuCtxPopCurrent") || Is(id, "cuCtxSetCurrent") ||
         Is(id, "cuCtxCreate") || Is(id, "cuCtxDestroy");
}

void NoteCurrentContext() { noted_context = CurrentContext(); }

uint64_t NotedContext() { return noted_context; }

void FollowStack(ApiId id, std::span<const trace::Argument> arguments) {
  const uint64_t context = arguments[0].bits;
  if (Is(id, "cuCtxPushCurrent") || Is(id, "cuCtxCreate")) {
    ++depth;
  } else if (Is(id, "cuCtxPopCurrent")) {
    Pop();
  } else if (Is(id, "cuCtxDestroy")) {
    if (context == noted_context) Pop();
  } else if (context == 0) {
    Pop();
  } else if (depth == 0) {
    depth = 1;
  }
}

}  // namespace interposer

uint32_t ContextStackDepth() noexcept { return interposer::depth; }

uint64_t CurrentContextHandle() noexcept { return interposer::CurrentContext(); }

}  // namespace culprit::fakedriver
