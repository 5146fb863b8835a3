/* SPDX-License-Identifier: Apache-2.0 */
#include "feature/extractor.h"

#include <errno.h>

extern const char float_ms_ssim_ptx[];

struct float_ms_ssim_state {
    struct context *context;
    CUmodule module;
    CUfunction kernel;
    CUstream stream;
    CUevent finished;
    CUdeviceptr scores;
    struct names *names;
};

static int release_all(struct float_ms_ssim_state *s)
{
    int first = 0;
    int err;
    err = stream_destroy(s->context, &s->stream);
    if (err && !first) first = err;
    err = event_destroy(s->context, &s->finished);
    if (err && !first) first = err;
    err = memory_free(s->context, &s->scores);
    if (err && !first) first = err;
    err = module_unload(s->context, &s->module);
    if (err && !first) first = err;
    return first;
}

static int init(FeatureExtractor *fex, struct context *context)
{
    struct float_ms_ssim_state *s = fex->priv;
    struct driver *driver = context->driver;
    s->context = context;
    s->names = names_create(fex);
    if (!s->names) return -ENOMEM;
    int err = context_enter(context);
    if (err) goto free_names;
    GOTO_ON_ERROR(driver->cuModuleLoadData(&s->module, float_ms_ssim_ptx), unwind);
    GOTO_ON_ERROR(driver->cuModuleGetFunction(&s->kernel, s->module, "float_ms_ssim_kernel"), unwind);
    GOTO_ON_ERROR(driver->cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING), unwind);
    GOTO_ON_ERROR(driver->cuEventCreate(&s->finished, CU_EVENT_DEFAULT), unwind);
    GOTO_ON_ERROR(driver->cuMemAlloc(&s->scores, sizeof(double)), unwind);
    err = context_leave(context);
    if (err) goto release;
    return 0;

unwind: {
    /* The first failure is the one to report. */
    const int left = context_leave(context);
    if (!err) err = left;
}
release: {
    const int released = release_all(s);
    if (!err) err = released;
}
free_names:
    names_release(&s->names);
    return err;
}

static int extract(FeatureExtractor *fex, struct frame *reference, struct frame *distorted, unsigned int index)
{
    struct float_ms_ssim_state *s = fex->priv;
    void *parameters[] = {&reference->plane[0], &distorted->plane[0]};
    RETURN_ON_ERROR(s->context->driver->cuLaunchKernel(s->kernel, reference->width / 16 + 1, reference->height / 16 + 1, 1, 16, 16, 1, 0,
                                                       s->stream, parameters, NULL));
    RETURN_ON_ERROR(s->context->driver->cuStreamSynchronize(s->stream));
    return score_write(s->names, index, 1.0);
}

static int close_float_ms_ssim(FeatureExtractor *fex)
{
    struct float_ms_ssim_state *s = fex->priv;
    const int err = release_all(s);
    if (err) return err;
    names_release(&s->names);
    return 0;
}

FeatureExtractor fex_float_ms_ssim_cuda = {
    .name = "float_ms_ssim_cuda",
    .init = init,
    .extract = extract,
    .close = close_float_ms_ssim,
};
