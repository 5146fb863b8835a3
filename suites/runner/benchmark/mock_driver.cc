// SPDX-License-Identifier: Apache-2.0
//
// The hand-made alternative: a libcuda.so.1 whose entries are methods of a GoogleMock object, with
// default actions that hand out made-up handles. Kernels do not run and nothing is audited; a test
// makes one for each fault, as a suite of unit tests would.
#include <cuda.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "suites/runner/benchmark/mock_driver.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace {

using testing::NiceMock;

// MOCK_ENTRY(name, (parameters), (arguments), what it does by default)
#define MOCK_ENTRIES                                                                           \
  MOCK_ENTRY(cuInit, (unsigned a), (a), {})                                                    \
  MOCK_ENTRY(cuDeviceGet, (CUdevice * a, int b), (a, b), { *a = b; })                          \
  MOCK_ENTRY(cuDeviceGetCount, (int* a), (a), { *a = 1; })                                     \
  MOCK_ENTRY(cuDevicePrimaryCtxRetain, (CUcontext * a, CUdevice b), (a, b), { *a = Make(a); }) \
  MOCK_ENTRY(cuDevicePrimaryCtxRelease, (CUdevice a), (a), {})                                 \
  MOCK_ENTRY(cuCtxGetCurrent, (CUcontext * a), (a), { *a = Current(); })                       \
  MOCK_ENTRY(cuCtxPushCurrent, (CUcontext a), (a), { Stack().push_back(a); })                  \
  MOCK_ENTRY(cuCtxPopCurrent, (CUcontext * a), (a), { Pop(a); })                               \
  MOCK_ENTRY(cuCtxSetCurrent, (CUcontext a), (a), { Stack().assign(a ? 1 : 0, a); })           \
  MOCK_ENTRY(cuCtxSynchronize, (), (), {})                                                     \
  MOCK_ENTRY(cuCtxGetStreamPriorityRange, (int* a, int* b), (a, b), { *a = 0, *b = -5; })      \
  MOCK_ENTRY(cuStreamCreateWithPriority, (CUstream * a, unsigned b, int c), (a, b, c),         \
             { *a = Make(a); })                                                                \
  MOCK_ENTRY(cuStreamSynchronize, (CUstream a), (a), {})                                       \
  MOCK_ENTRY(cuStreamWaitEvent, (CUstream a, CUevent b, unsigned c), (a, b, c), {})            \
  MOCK_ENTRY(cuStreamDestroy, (CUstream a), (a), {})                                           \
  MOCK_ENTRY(cuEventCreate, (CUevent * a, unsigned b), (a, b), { *a = Make(a); })              \
  MOCK_ENTRY(cuEventRecord, (CUevent a, CUstream b), (a, b), {})                               \
  MOCK_ENTRY(cuEventSynchronize, (CUevent a), (a), {})                                         \
  MOCK_ENTRY(cuEventDestroy, (CUevent a), (a), {})                                             \
  MOCK_ENTRY(cuMemAlloc, (CUdeviceptr * a, size_t b), (a, b), { *a = Allocate(b); })           \
  MOCK_ENTRY(cuMemAllocPitch, (CUdeviceptr * a, size_t * b, size_t c, size_t d, unsigned e),   \
             (a, b, c, d, e), { *b = (c + 511) / 512 * 512, *a = Allocate(*b * d); })          \
  MOCK_ENTRY(cuMemFree, (CUdeviceptr a), (a), { std::free(Host(a)); })                         \
  MOCK_ENTRY(cuMemHostAlloc, (void** a, size_t b, unsigned c), (a, b, c),                      \
             { *a = std::calloc(b, 1); })                                                      \
  MOCK_ENTRY(cuMemFreeHost, (void* a), (a), { std::free(a); })                                 \
  MOCK_ENTRY(cuMemsetD8Async, (CUdeviceptr a, unsigned char b, size_t c, CUstream d),          \
             (a, b, c, d), { std::memset(Host(a), b, c); })                                    \
  MOCK_ENTRY(cuMemcpyHtoDAsync, (CUdeviceptr a, const void* b, size_t c, CUstream d),          \
             (a, b, c, d), { std::memcpy(Host(a), b, c); })                                    \
  MOCK_ENTRY(cuMemcpyDtoHAsync, (void* a, CUdeviceptr b, size_t c, CUstream d), (a, b, c, d),  \
             { std::memcpy(a, Host(b), c); })                                                  \
  MOCK_ENTRY(cuMemcpy2DAsync, (const CUDA_MEMCPY2D* a, CUstream b), (a, b), {})                \
  MOCK_ENTRY(cuModuleLoadData, (CUmodule * a, const void* b), (a, b), { *a = Make(a); })       \
  MOCK_ENTRY(cuModuleGetFunction, (CUfunction * a, CUmodule b, const char* c), (a, b, c),      \
             { *a = Make(a); })                                                                \
  MOCK_ENTRY(cuModuleUnload, (CUmodule a), (a), {})                                            \
  MOCK_ENTRY(cuLaunchKernel,                                                                   \
             (CUfunction a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,        \
              unsigned g, unsigned h, CUstream i, void** j, void** k),                         \
             (a, b, c, d, e, f, g, h, i, j, k), {})

template <typename Handle>
Handle Make(Handle*) {
  static uintptr_t next = 0x1000;
  return reinterpret_cast<Handle>(next += 16);
}

void* Host(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
CUdeviceptr Allocate(size_t bytes) {
  return reinterpret_cast<CUdeviceptr>(std::calloc(bytes == 0 ? 1 : bytes, 1));
}

std::vector<CUcontext>& Stack() {
  static std::vector<CUcontext> stack;
  return stack;
}
CUcontext Current() { return Stack().empty() ? nullptr : Stack().back(); }
void Pop(CUcontext* context) {
  if (context != nullptr) *context = Current();
  if (!Stack().empty()) Stack().pop_back();
}

class MockDriver {
 public:
#define MOCK_ENTRY(name, parameters, arguments, ...) MOCK_METHOD(CUresult, name, parameters);
  MOCK_ENTRIES
#undef MOCK_ENTRY
};

std::unique_ptr<NiceMock<MockDriver>> driver;

#define MOCK_ENTRY(name, parameters, arguments, ...) \
  CUresult Default_##name parameters {               \
    __VA_ARGS__;                                     \
    return CUDA_SUCCESS;                             \
  }
MOCK_ENTRIES
#undef MOCK_ENTRY

}  // namespace

#define MOCK_EXPORT __attribute__((visibility("default")))

extern "C" {

#define MOCK_ENTRY(name, parameters, arguments, ...) \
  MOCK_EXPORT CUresult name parameters { return driver->name arguments; }
MOCK_ENTRIES
#undef MOCK_ENTRY

// Entries that the subject binds and this life cycle does not call.
MOCK_EXPORT int mock_unused_entry() { return CUDA_ERROR_NOT_SUPPORTED; }
#define MOCK_TEXT(name) #name
#define MOCK_UNUSED(name) \
  __asm__(".globl " MOCK_TEXT(name) "\n.set " MOCK_TEXT(name) ", mock_unused_entry\n");
MOCK_UNUSED(cuDevicePrimaryCtxReset)
MOCK_UNUSED(cuMemAllocAsync)
MOCK_UNUSED(cuMemAllocFromPoolAsync)
MOCK_UNUSED(cuMemFreeAsync)
MOCK_UNUSED(cuMemPoolCreate)
MOCK_UNUSED(cuMemPoolDestroy)
MOCK_UNUSED(cuMemAllocManaged)
MOCK_UNUSED(cuIpcGetMemHandle)
MOCK_UNUSED(cuIpcOpenMemHandle)
MOCK_UNUSED(cuIpcCloseMemHandle)
MOCK_UNUSED(cuGraphCreate)
MOCK_UNUSED(cuGraphDestroy)
MOCK_UNUSED(cuGraphAddMemsetNode)
MOCK_UNUSED(cuGraphInstantiate)
MOCK_UNUSED(cuGraphLaunch)
MOCK_UNUSED(cuGraphExecDestroy)
MOCK_UNUSED(cuUserObjectCreate)
MOCK_UNUSED(cuUserObjectRelease)
MOCK_UNUSED(cuGraphRetainUserObject)

MOCK_EXPORT void mock_begin(const char* entry, uint64_t nth, int result) {
  driver = std::make_unique<NiceMock<MockDriver>>();
  Stack().clear();
#define MOCK_ENTRY(name, parameters, arguments, ...)                                       \
  ON_CALL(*driver, name).WillByDefault(&Default_##name);                                   \
  if (std::strcmp(entry, #name) == 0) {                                                    \
    EXPECT_CALL(*driver, name)                                                             \
        .Times(testing::AnyNumber())                                                       \
        .WillRepeatedly([nth, result, made = uint64_t{0}] parameters mutable -> CUresult { \
          if (++made == nth) return static_cast<CUresult>(result);                         \
          return Default_##name arguments;                                                 \
        });                                                                                \
  }
  MOCK_ENTRIES
#undef MOCK_ENTRY
}

MOCK_EXPORT int mock_end() {
  const bool satisfied = testing::Mock::VerifyAndClearExpectations(driver.get());
  driver.reset();
  return satisfied ? 0 : 1;
}

}  // extern "C"
