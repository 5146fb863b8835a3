/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with a command line: sends two raw files of 8-bit pictures through the device, frame by frame, and prints how
 * far their samples lie apart. It knows nothing of ports.
 *
 *   frame_difference WIDTH HEIGHT REFERENCE DISTORTED
 *
 * Prints a line for each frame; at the first failure a line on standard error, and the exit code is 1. A release that
 * failed is tried once more, and what is left then ends with the process.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void* CUcontext;
typedef unsigned long long CUdeviceptr;

static struct {
  int (*cuInit)(unsigned);
  int (*cuCtxCreate_v2)(CUcontext*, unsigned, int);
  int (*cuCtxDestroy_v2)(CUcontext);
  int (*cuMemAlloc_v2)(CUdeviceptr*, size_t);
  int (*cuMemFree_v2)(CUdeviceptr);
  int (*cuMemcpyHtoD_v2)(CUdeviceptr, const void*, size_t);
  int (*cuMemcpyDtoH_v2)(void*, CUdeviceptr, size_t);
} cu;

static int failed; /* something did, and was said */

static int Check(int result, const char* entry) {
  if (result != 0 && !failed) fprintf(stderr, "frame_difference: %s failed with %d\n", entry, result);
  failed |= result != 0;
  return result == 0;
}
#define CU(entry, ...) Check(cu.entry(__VA_ARGS__), #entry)

static void Stop(const char* why, const char* what) {
  fprintf(stderr, "frame_difference: %s%s\n", why, what);
  exit(1);
}

static void LoadDriver(void) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == NULL) Stop("there is no ", "libcuda.so.1");
#define BIND(entry) \
  if ((*(void**)&cu.entry = dlsym(library, #entry)) == NULL) Stop("the driver has no ", #entry);
  BIND(cuInit)
  BIND(cuCtxCreate_v2)
  BIND(cuCtxDestroy_v2)
  BIND(cuMemAlloc_v2)
  BIND(cuMemFree_v2)
  BIND(cuMemcpyHtoD_v2)
  BIND(cuMemcpyDtoH_v2)
}

/* Everything that needs memory of the device: reads, sends, fetches back and compares. */
static void Compare(FILE* files[2], size_t samples, CUdeviceptr memory, unsigned char* pictures) {
  for (unsigned frame = 0; !failed; ++frame) {
    for (int i = 0; i < 2; ++i) {
      if (fread(pictures + i * samples, 1, samples, files[i]) != samples) return;
    }
    if (!CU(cuMemcpyHtoD_v2, memory, pictures, 2 * samples)) return;
    if (!CU(cuMemcpyDtoH_v2, pictures, memory, 2 * samples)) return;
    unsigned long sum = 0;
    for (size_t i = 0; i < samples; ++i) sum += abs(pictures[i] - pictures[samples + i]);
    printf("frame %u difference %lu\n", frame, sum);
  }
}

static void Run(FILE* files[2], size_t samples, unsigned char* pictures) {
  CUcontext context = NULL;
  CUdeviceptr memory = 0;
  if (!CU(cuInit, 0)) return;
  if (CU(cuCtxCreate_v2, &context, 0, 0) && CU(cuMemAlloc_v2, &memory, 2 * samples)) {
    Compare(files, samples, memory, pictures);
  }
  if (memory != 0 && !CU(cuMemFree_v2, memory)) CU(cuMemFree_v2, memory);
  if (context != NULL && !CU(cuCtxDestroy_v2, context)) CU(cuCtxDestroy_v2, context);
}

int main(int argc, char** argv) {
  if (argc != 5) Stop("usage: frame_difference WIDTH HEIGHT REFERENCE DISTORTED", "");
  const size_t samples = strtoul(argv[1], NULL, 10) * strtoul(argv[2], NULL, 10);
  unsigned char* pictures = malloc(2 * samples);
  FILE* files[2] = {fopen(argv[3], "rb"), fopen(argv[4], "rb")};
  failed = 0;
  if (files[0] == NULL || files[1] == NULL) Stop("cannot read ", files[0] == NULL ? argv[3] : argv[4]);
  if (pictures == NULL || samples == 0) Stop("no memory for the pictures", "");
  LoadDriver();
  Run(files, samples, pictures);
  fclose(files[0]);
  fclose(files[1]);
  free(pictures);
  return failed ? 1 : 0;
}
