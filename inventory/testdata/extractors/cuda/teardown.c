/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"

#include <errno.h>

int errno_of(CUresult result)
{
    if (result == CUDA_SUCCESS) return 0;
    return result == CUDA_ERROR_OUT_OF_MEMORY ? -ENOMEM : -EIO;
}

int context_enter(struct context *context)
{
    return errno_of(context->driver->cuCtxPushCurrent(context->handle));
}

int context_leave(struct context *context)
{
    CUresult result = context->driver->cuCtxPopCurrent(NULL);
    if (result != CUDA_SUCCESS) result = context->driver->cuCtxPopCurrent(NULL);
    return errno_of(result);
}

int module_unload(struct context *context, CUmodule *module)
{
    if (!*module) return 0;
    int err = context_enter(context);
    if (err) return err;
    const CUresult result = context->driver->cuModuleUnload(*module);
    if (result == CUDA_SUCCESS) *module = NULL;
    err = errno_of(result);
    const int left = context_leave(context);
    return err ? err : left;
}

int stream_destroy(struct context *context, CUstream *stream)
{
    if (!*stream) return 0;
    int err = context_enter(context);
    if (err) return err;
    CUresult result = context->driver->cuStreamSynchronize(*stream);
    if (result == CUDA_SUCCESS) {
        result = context->driver->cuStreamDestroy(*stream);
        if (result == CUDA_SUCCESS) *stream = NULL;
    }
    err = errno_of(result);
    const int left = context_leave(context);
    return err ? err : left;
}

int event_destroy(struct context *context, CUevent *event)
{
    if (!*event) return 0;
    int err = context_enter(context);
    if (err) return err;
    const CUresult result = context->driver->cuEventDestroy(*event);
    if (result == CUDA_SUCCESS) *event = NULL;
    err = errno_of(result);
    const int left = context_leave(context);
    return err ? err : left;
}

int memory_free(struct context *context, CUdeviceptr *memory)
{
    if (!*memory) return 0;
    int err = context_enter(context);
    if (err) return err;
    const CUresult result = context->driver->cuMemFree(*memory);
    if (result == CUDA_SUCCESS) *memory = 0;
    err = errno_of(result);
    const int left = context_leave(context);
    return err ? err : left;
}
