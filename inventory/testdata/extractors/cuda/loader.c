/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"

#include <dlfcn.h>

#define LOAD(name, symbol)                                       \
    do {                                                         \
        driver->name = dlsym(library, symbol);                   \
        if (!driver->name) return -1;                            \
    } while (0)

/* Names the variants that the header means; the plain names are those of the first CUDA. */
int load_driver(struct driver *driver, void *library)
{
    LOAD(cuCtxPushCurrent, "cuCtxPushCurrent_v2");
    LOAD(cuCtxPopCurrent, "cuCtxPopCurrent_v2");
    LOAD(cuModuleLoadData, "cuModuleLoadData");
    LOAD(cuModuleGetFunction, "cuModuleGetFunction");
    LOAD(cuModuleUnload, "cuModuleUnload");
    LOAD(cuStreamCreate, "cuStreamCreate");
    LOAD(cuStreamSynchronize, "cuStreamSynchronize");
    LOAD(cuStreamDestroy, "cuStreamDestroy_v2");
    LOAD(cuEventCreate, "cuEventCreate");
    LOAD(cuEventDestroy, "cuEventDestroy_v2");
    LOAD(cuMemAlloc, "cuMemAlloc_v2");
    LOAD(cuMemFree, "cuMemFree_v2");
    LOAD(cuLaunchKernel, "cuLaunchKernel");
    return 0;
}
