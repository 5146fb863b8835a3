/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CUDA_CONTEXT_H_
#define CUDA_CONTEXT_H_

#include <cuda.h>

/* The driver's functions, loaded at run time. */
struct driver {
    CUresult (*cuCtxPushCurrent)(CUcontext context);
    CUresult (*cuCtxPopCurrent)(CUcontext *context);
    CUresult (*cuModuleLoadData)(CUmodule *module, const void *image);
    CUresult (*cuModuleGetFunction)(CUfunction *function, CUmodule module, const char *name);
    CUresult (*cuModuleUnload)(CUmodule module);
    CUresult (*cuStreamCreate)(CUstream *stream, unsigned int flags);
    CUresult (*cuStreamSynchronize)(CUstream stream);
    CUresult (*cuStreamDestroy)(CUstream stream);
    CUresult (*cuEventCreate)(CUevent *event, unsigned int flags);
    CUresult (*cuEventDestroy)(CUevent event);
    CUresult (*cuMemAlloc)(CUdeviceptr *memory, size_t size);
    CUresult (*cuMemFree)(CUdeviceptr memory);
    CUresult (*cuLaunchKernel)(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                               unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                               CUstream stream, void **parameters, void **extra);
};

struct context {
    struct driver *driver;
    CUcontext handle;
};

/* Leaves the calling function when the driver reports a failure. */
#define RETURN_ON_ERROR(call)                \
    do {                                     \
        const CUresult result_ = (call);     \
        if (result_) return errno_of(result_); \
    } while (0)

/* Goes to `label` with the failure in `err`. */
#define GOTO_ON_ERROR(call, label)            \
    do {                                      \
        const CUresult result_ = (call);      \
        if (result_) {                        \
            err = errno_of(result_);          \
            goto label;                       \
        }                                     \
    } while (0)

int errno_of(CUresult result);
int context_enter(struct context *context);
int context_leave(struct context *context);

/* Each releases under the owner's context and clears the handle only when the release succeeded. */
int module_unload(struct context *context, CUmodule *module);
int stream_destroy(struct context *context, CUstream *stream);
int event_destroy(struct context *context, CUevent *event);
int memory_free(struct context *context, CUdeviceptr *memory);

#endif
