// SPDX-License-Identifier: Apache-2.0
//
// A libnvrtc.so that compiles for compute_75 where the caller asks for an architecture that the NVRTC behind it has dropped: the plugin
// asks for compute_30, then compute_52. Everything else is handed on to REAL_NVRTC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostOptions = 32, kOldest = 75, kInternalError = 11 };

static void* Real(const char* name) {
  static void* library = NULL;
  if (library == NULL) library = dlopen(REAL_NVRTC, RTLD_NOW);
  void* found = library == NULL ? NULL : dlsym(library, name);
  if (found == NULL) fprintf(stderr, "%s: no %s\n", REAL_NVRTC, name);
  return found;
}

#define FORWARD(name, parameters, arguments)         \
  int name parameters {                              \
    int(*real) parameters = Real(#name);             \
    return real == NULL ? kInternalError : real arguments; \
  }

FORWARD(nvrtcCreateProgram,
        (void** program, const char* source, const char* name, int count, const char** headers, const char** names),
        (program, source, name, count, headers, names))
FORWARD(nvrtcDestroyProgram, (void** program), (program))
FORWARD(nvrtcGetPTXSize, (void* program, size_t* size), (program, size))
FORWARD(nvrtcGetPTX, (void* program, char* text), (program, text))
FORWARD(nvrtcGetProgramLogSize, (void* program, size_t* size), (program, size))
FORWARD(nvrtcGetProgramLog, (void* program, char* text), (program, text))
FORWARD(nvrtcVersion, (int* major, int* minor), (major, minor))

// The number after "compute_" in an option; 0 where there is none.
static int Architecture(const char* option) {
  const char* at = strstr(option, "compute_");
  return at == NULL ? 0 : atoi(at + strlen("compute_"));
}

int nvrtcCompileProgram(void* program, int count, const char** options) {
  int (*real)(void*, int, const char**) = Real("nvrtcCompileProgram");
  const char* changed[kMostOptions];
  if (real == NULL || count > kMostOptions) return kInternalError;
  for (int i = 0; i < count; ++i) {
    const int asked = Architecture(options[i]);
    changed[i] = asked != 0 && asked < kOldest ? "--gpu-architecture=compute_75" : options[i];
  }
  return real(program, count, changed);
}
