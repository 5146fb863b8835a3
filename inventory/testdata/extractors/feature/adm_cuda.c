/* SPDX-License-Identifier: Apache-2.0 */
#include "feature/extractor.h"

#include <errno.h>

extern const char adm_dwt_ptx[];
extern const char adm_csf_ptx[];
extern const char adm_decouple_ptx[];
extern const char adm_cm_ptx[];

struct adm_state {
    struct context *context;
    CUmodule dwt_module;
    CUmodule csf_module;
    CUmodule decouple_module;
    CUmodule cm_module;
    CUfunction dwt_kernel;
    CUfunction csf_kernel;
    CUfunction decouple_kernel;
    CUfunction cm_kernel;
    CUstream stream;
    CUevent finished;
    CUdeviceptr scores;
    struct names *names;
};

static int release_all(struct adm_state *s)
{
    int first = 0;
    int err;
    err = stream_destroy(s->context, &s->stream);
    if (err && !first) first = err;
    err = event_destroy(s->context, &s->finished);
    if (err && !first) first = err;
    err = memory_free(s->context, &s->scores);
    if (err && !first) first = err;
    err = module_unload(s->context, &s->dwt_module);
    if (err && !first) first = err;
    err = module_unload(s->context, &s->csf_module);
    if (err && !first) first = err;
    err = module_unload(s->context, &s->decouple_module);
    if (err && !first) first = err;
    err = module_unload(s->context, &s->cm_module);
    if (err && !first) first = err;
    return first;
}

static int init(FeatureExtractor *fex, struct context *context)
{
    struct adm_state *s = fex->priv;
    struct driver *driver = context->driver;
    s->context = context;
    s->names = names_create(fex);
    if (!s->names) return -ENOMEM;
    int err = context_enter(context);
    if (err) goto free_names;
    GOTO_ON_ERROR(driver->cuModuleLoadData(&s->dwt_module, adm_dwt_ptx), unwind);
    GOTO_ON_ERROR(driver->cuModuleGetFunction(&s->dwt_kernel, s->dwt_module, "adm_dwt_kernel"), unwind);
    GOTO_ON_ERROR(driver->cuModuleLoadData(&s->csf_module, adm_csf_ptx), unwind);
    GOTO_ON_ERROR(driver->cuModuleGetFunction(&s->csf_kernel, s->csf_module, "adm_csf_kernel"), unwind);
    GOTO_ON_ERROR(driver->cuModuleLoadData(&s->decouple_module, adm_decouple_ptx), unwind);
    GOTO_ON_ERROR(driver->cuModuleGetFunction(&s->decouple_kernel, s->decouple_module, "adm_decouple_kernel"), unwind);
    GOTO_ON_ERROR(driver->cuModuleLoadData(&s->cm_module, adm_cm_ptx), unwind);
    GOTO_ON_ERROR(driver->cuModuleGetFunction(&s->cm_kernel, s->cm_module, "adm_cm_kernel"), unwind);
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
    struct adm_state *s = fex->priv;
    void *parameters[] = {&reference->plane[0], &distorted->plane[0]};
    RETURN_ON_ERROR(s->context->driver->cuLaunchKernel(s->dwt_kernel, reference->width / 16 + 1, reference->height / 16 + 1, 1, 16, 16, 1, 0,
                                                       s->stream, parameters, NULL));
    RETURN_ON_ERROR(s->context->driver->cuLaunchKernel(s->csf_kernel, reference->width / 16 + 1, reference->height / 16 + 1, 1, 16, 16, 1, 0,
                                                       s->stream, parameters, NULL));
    RETURN_ON_ERROR(s->context->driver->cuLaunchKernel(s->decouple_kernel, reference->width / 16 + 1, reference->height / 16 + 1, 1, 16, 16, 1, 0,
                                                       s->stream, parameters, NULL));
    RETURN_ON_ERROR(s->context->driver->cuLaunchKernel(s->cm_kernel, reference->width / 16 + 1, reference->height / 16 + 1, 1, 16, 16, 1, 0,
                                                       s->stream, parameters, NULL));
    RETURN_ON_ERROR(s->context->driver->cuStreamSynchronize(s->stream));
    return score_write(s->names, index, 1.0);
}

static int close_adm(FeatureExtractor *fex)
{
    struct adm_state *s = fex->priv;
    const int err = release_all(s);
    if (err) return err;
    names_release(&s->names);
    return 0;
}

FeatureExtractor fex_adm_cuda = {
    .name = "adm_cuda",
    .init = init,
    .extract = extract,
    .close = close_adm,
};
