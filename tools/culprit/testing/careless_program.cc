// SPDX-License-Identifier: Apache-2.0
//
// A program with one mistake of each kind that `culprit sweep` tells apart: it gives up in a crash,
// waits for ever, destroys a context as if it were a stream, does not look at the result of a free,
// prints what it could not copy, and leaves its stream to the end of its context. With an argument
// it ends before the driver can report.
#include <cuda.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int arguments, char**) {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  unsigned int word = 0;
  if (cuInit(0) != CUDA_SUCCESS) return 1;
  cuDevicePrimaryCtxRetain(&context, 0);
  if (cuCtxPushCurrent(context) != CUDA_SUCCESS) {
    cuStreamDestroy(reinterpret_cast<CUstream>(context));
    return 1;
  }
  if (cuMemAlloc(&memory, 64) != CUDA_SUCCESS) {
    std::fprintf(stderr, "no memory\n");
    return 1;
  }
  if (cuStreamCreate(&stream, 0) != CUDA_SUCCESS) std::abort();
  while (cuStreamSynchronize(stream) != CUDA_SUCCESS) pause();
  if (cuEventCreate(&event, 0) != CUDA_SUCCESS) {
    cuCtxPopCurrent(&context);
    cuDevicePrimaryCtxRelease(0);
    return 1;
  }
  cuEventDestroy(event);
  cuMemsetD32(memory, 7, 16);
  cuMemcpyDtoH(&word, memory, sizeof(word));
  cuStreamDestroy(stream);
  cuMemFree(memory);
  cuCtxPopCurrent(&context);
  cuDevicePrimaryCtxRelease(0);
  std::printf("word %u\n", word);
  if (arguments > 1) {
    std::fflush(stdout);
    _exit(0);
  }
  return 0;
}
