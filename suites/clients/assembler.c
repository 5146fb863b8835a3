// SPDX-License-Identifier: Apache-2.0
//
// Stands for ptxas and nvlink where a compiler insists on calling them: lets the driver's own linker turn PTX (.s, .ptx) and what it
// linked before (.cubin) into an image that the driver loads. On the fake driver such an image holds the PTX.
//
//   ptxas  ... --output-file IMAGE ... FILE.s          nvlink ... -o IMAGE ... FILE.cubin          ptxas --version
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static int Fail(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  fprintf(stderr, "%s: %s\n", what, name);
  return 1;
}

static int EndsWith(const char* text, const char* end) {
  const size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

// As ptxas answers: compilers write the PTX of that release.
static int PrintVersion(void) {
  int version = 0;
  const CUresult result = cuDriverGetVersion(&version);
  if (result != CUDA_SUCCESS) return Fail("the driver", result);
  const int major = version / 1000, minor = version % 1000 / 10;
  printf("Cuda compilation tools, release %d.%d, V%d.%d.0\n", major, minor, major, minor);
  return 0;
}

int main(int count, char** arguments) {
  if (count == 2 && strcmp(arguments[1], "--version") == 0) return PrintVersion();
  static char errors[8192];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, (void*)sizeof errors};
  const char* output = NULL;
  CUcontext context = NULL;
  CUlinkState link = NULL;
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) result = cuDevicePrimaryCtxRetain(&context, 0);
  if (result == CUDA_SUCCESS) result = cuCtxSetCurrent(context);
  if (result == CUDA_SUCCESS) result = cuLinkCreate(2, options, values, &link);
  if (result != CUDA_SUCCESS) return Fail("the driver", result);
  for (int i = 1; i < count; ++i) {
    const int text = EndsWith(arguments[i], ".s") || EndsWith(arguments[i], ".ptx");
    if ((strcmp(arguments[i], "--output-file") == 0 || strcmp(arguments[i], "-o") == 0) && i + 1 < count) {
      output = arguments[++i];
    } else if (text || EndsWith(arguments[i], ".cubin")) {
      result = cuLinkAddFile(link, text ? CU_JIT_INPUT_PTX : CU_JIT_INPUT_CUBIN, arguments[i], 0, NULL, NULL);
      if (result != CUDA_SUCCESS) {
        fprintf(stderr, "%s\n", errors);
        return Fail(arguments[i], result);
      }
    }
  }
  void* image = NULL;
  size_t bytes = 0;
  result = cuLinkComplete(link, &image, &bytes);
  FILE* file = result == CUDA_SUCCESS && output != NULL ? fopen(output, "wb") : NULL;
  if (file == NULL) {
    fprintf(stderr, "%s\n", errors);
    return Fail("no image", result);
  }
  const int written = fwrite(image, 1, bytes, file) == bytes && fclose(file) == 0;
  cuLinkDestroy(link);
  cuDevicePrimaryCtxRelease(0);
  return written ? 0 : 1;
}
