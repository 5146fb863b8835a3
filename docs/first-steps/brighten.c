/* SPDX-License-Identifier: Apache-2.0
 *
 * A small program that drives CUDA through the driver API: it adds one to a row of bytes and checks the sums.
 *
 *   brighten           gives everything back
 *   brighten --leak    forgets its event and its hold on the primary context, as a planted defect
 */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

enum { kCount = 256 };

static const char kKernel[] =
    ".version 7.0\n"
    ".target sm_52\n"
    ".address_size 64\n"
    ".visible .entry brighten(.param .u64 row)\n"
    "{\n"
    "  .reg .b32 %r<2>;\n"
    "  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd0, [row];\n"
    "  cvta.to.global.u64 %rd0, %rd0;\n"
    "  mov.u32 %r0, %tid.x;\n"
    "  cvt.u64.u32 %rd1, %r0;\n"
    "  add.s64 %rd2, %rd0, %rd1;\n"
    "  ld.global.u8 %r1, [%rd2];\n"
    "  add.s32 %r1, %r1, 1;\n"
    "  st.global.u8 [%rd2], %r1;\n"
    "  ret;\n"
    "}\n";

static int Failed(const char* entry, CUresult result) {
  const char* name = "an unknown error";
  if (result == CUDA_SUCCESS) return 0;
  cuGetErrorName(result, &name);
  fprintf(stderr, "%s: %s\n", entry, name);
  return 1;
}

#define TRY(entry, ...)                                   \
  do {                                                    \
    if (Failed(#entry, entry(__VA_ARGS__))) return 1;     \
  } while (0)

static int Brighten(CUdevice device, int leak) {
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr row;
  CUevent done;
  unsigned char bytes[kCount];
  void* parameters[] = {&row};

  TRY(cuDevicePrimaryCtxRetain, &context, device);
  TRY(cuCtxPushCurrent, context);
  TRY(cuModuleLoadData, &module, kKernel);
  TRY(cuModuleGetFunction, &function, module, "brighten");
  TRY(cuMemAlloc, &row, kCount);
  TRY(cuEventCreate, &done, CU_EVENT_DISABLE_TIMING);

  for (int i = 0; i < kCount; ++i) bytes[i] = (unsigned char)i;
  TRY(cuMemcpyHtoD, row, bytes, kCount);
  TRY(cuLaunchKernel, function, 1, 1, 1, kCount, 1, 1, 0, NULL, parameters, NULL);
  TRY(cuEventRecord, done, NULL);
  TRY(cuEventSynchronize, done);
  TRY(cuMemcpyDtoH, bytes, row, kCount);

  TRY(cuMemFree, row);
  TRY(cuModuleUnload, module);
  if (!leak) TRY(cuEventDestroy, done);
  TRY(cuCtxPopCurrent, &context);
  /* Were the context released, it would take the event along, and nothing would be lost. */
  if (!leak) TRY(cuDevicePrimaryCtxRelease, device);

  for (int i = 0; i < kCount; ++i) {
    if (bytes[i] != (unsigned char)(i + 1)) {
      fprintf(stderr, "byte %d is %d\n", i, bytes[i]);
      return 1;
    }
  }
  printf("%d bytes are right\n", kCount);
  return 0;
}

int main(int argc, char** argv) {
  CUdevice device;
  TRY(cuInit, 0);
  TRY(cuDeviceGet, &device, 0);
  return Brighten(device, argc > 1 && strcmp(argv[1], "--leak") == 0);
}
