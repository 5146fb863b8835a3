/* SPDX-License-Identifier: Apache-2.0
 *
 * libvmaf behind the port ABI: every function is one of its public C API. The library is opened at run time; without one
 * that has CUDA the port has no extractors, so that nothing applies to it, and says why on standard error.
 *
 * The API answers a negative errno and neither the driver's result nor its entry, and a status here has no more.
 */
#include <culprit_port.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libvmaf.h"

static struct libvmaf vmaf;

struct culprit_state {
  VmafCudaState* state; /* NULL once it is freed */
  int imported;
};
struct feature {
  const char* name;
  const char* const* keys;
};
struct culprit_session {
  VmafContext* context;
  culprit_config config;
  int has_state;
  const struct feature* used[8];
  uint32_t used_count;
};
struct culprit_picture {
  VmafPicture picture;
};

static const char* const kMotionKeys[] = {"VMAF_integer_feature_motion2_score", NULL};
static const char* const kVifKeys[] = {"VMAF_integer_feature_vif_scale0_score", "VMAF_integer_feature_vif_scale1_score",
                                       "VMAF_integer_feature_vif_scale2_score", "VMAF_integer_feature_vif_scale3_score",
                                       NULL};
static const char* const kAdmKeys[] = {"VMAF_integer_feature_adm2_score", NULL};
static const struct feature kFeatures[] = {
    {"motion_cuda", kMotionKeys}, {"vif_cuda", kVifKeys}, {"adm_cuda", kAdmKeys}};
enum { FEATURES = sizeof(kFeatures) / sizeof(kFeatures[0]) };

static int Report(culprit_status* status, int error, const char* function) {
  if (error == 0) return 0;
  status->error = error < 0 ? error : -EIO;
  status->domain = CULPRIT_DOMAIN_EXTRACTOR;
  snprintf(status->message, sizeof(status->message), "%s: %d", function, error);
  return status->error;
}

/* False with a reason: no library, or one without CUDA. */
static int Load(const char** reason) {
  static char text[256];
  void* library = dlopen(LIBVMAF, RTLD_NOW | RTLD_LOCAL);
  *reason = text;
  if (library == NULL) {
    snprintf(text, sizeof(text), "%s", dlerror());
    return 0;
  }
#define BIND(function)                                                                    \
  if ((*(void**)&vmaf.function = dlsym(library, #function)) == NULL) {                    \
    snprintf(text, sizeof(text), "%s has no %s: it was built without CUDA", LIBVMAF, #function); \
    return 0;                                                                             \
  }
  BIND(vmaf_version)
  BIND(vmaf_init)
  BIND(vmaf_use_feature)
  BIND(vmaf_read_pictures)
  BIND(vmaf_feature_score_at_index)
  BIND(vmaf_close)
  BIND(vmaf_picture_alloc)
  BIND(vmaf_picture_unref)
  BIND(vmaf_cuda_state_init)
  BIND(vmaf_cuda_import_state)
  BIND(vmaf_cuda_preallocate_pictures)
  BIND(vmaf_cuda_fetch_preallocated_picture)
  *(void**)&vmaf.vmaf_cuda_state_free = dlsym(library, "vmaf_cuda_state_free");
  return 1;
}

static int StateInit(void* context, culprit_state** state, culprit_status* status) {
  culprit_state* made = calloc(1, sizeof(*made));
  if (made == NULL) return Report(status, -ENOMEM, "memory");
  const VmafCudaConfiguration configuration = {context};
  if (Report(status, vmaf.vmaf_cuda_state_init(&made->state, configuration), "vmaf_cuda_state_init") != 0) {
    free(made);
    return status->error;
  }
  *state = made;
  return 0;
}

static int StateFree(culprit_state** state, culprit_status* status) {
  culprit_state* held = *state;
  if (vmaf.vmaf_cuda_state_free != NULL) {
    if (Report(status, vmaf.vmaf_cuda_state_free(held->state), "vmaf_cuda_state_free") != 0) return status->error;
  } else {
    free(held->state); /* what callers of such a version do */
  }
  free(held);
  *state = NULL;
  return 0;
}

static int Open(const culprit_config* config, culprit_session** session, culprit_status* status) {
  culprit_session* made = calloc(1, sizeof(*made));
  if (made == NULL) return Report(status, -ENOMEM, "memory");
  const VmafConfiguration configuration = {.n_threads = config->threads};
  if (Report(status, vmaf.vmaf_init(&made->context, configuration), "vmaf_init") != 0) {
    free(made);
    return status->error;
  }
  made->config = *config;
  *session = made;
  return 0;
}

static int UseExtractor(culprit_session* session, const char* name, const culprit_option* options, uint32_t option_count,
                        culprit_status* status) {
  (void)options;
  const struct feature* feature = NULL;
  for (int i = 0; i < FEATURES; ++i) {
    if (strcmp(kFeatures[i].name, name) == 0) feature = &kFeatures[i];
  }
  if (feature == NULL || option_count != 0 || session->used_count == FEATURES) {
    return Report(status, -EINVAL, "a feature of this port, without options");
  }
  session->used[session->used_count++] = feature;
  return 0;
}

/* Features are added after the state: the library refuses CUDA ones before. */
static int ImportState(culprit_session* session, culprit_state* state, culprit_status* status) {
  if (session->has_state || state->imported) return Report(status, -EINVAL, "a state is imported once");
  if (Report(status, vmaf.vmaf_cuda_import_state(session->context, state->state), "vmaf_cuda_import_state") != 0) {
    return status->error;
  }
  session->has_state = state->imported = 1;
  for (uint32_t i = 0; i < session->used_count; ++i) {
    const int used = vmaf.vmaf_use_feature(session->context, session->used[i]->name, NULL);
    if (Report(status, used, "vmaf_use_feature") != 0) break;
  }
  return status->error;
}

/* How many pictures there are is the library's choice. */
static int Preallocate(culprit_session* session, uint32_t count, culprit_status* status) {
  (void)count;
  const culprit_config* config = &session->config;
  const VmafCudaPictureConfiguration pictures = {
      .pic_params = {config->width, config->height, config->bits, (int)config->format},
      .pic_prealloc_method = VMAF_CUDA_PICTURES_PINNED};
  return Report(status, vmaf.vmaf_cuda_preallocate_pictures(session->context, pictures), "vmaf_cuda_preallocate_pictures");
}

static void Fill(VmafPicture* picture, const culprit_frame* frame) {
  const size_t sample = frame->bits > 8 ? 2 : 1;
  for (uint32_t plane = 0; plane < frame->planes; ++plane) {
    for (unsigned y = 0; y < picture->h[plane]; ++y) {
      memcpy((char*)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane],
             (const char*)frame->data[plane] + y * frame->stride[plane], picture->w[plane] * sample);
    }
  }
}

static int Fetch(culprit_session* session, const culprit_frame* frame, culprit_picture** picture, culprit_status* status) {
  culprit_picture* made = calloc(1, sizeof(*made));
  if (made == NULL) return Report(status, -ENOMEM, "memory");
  const int fetched = vmaf.vmaf_cuda_fetch_preallocated_picture(session->context, &made->picture);
  if (Report(status, fetched, "vmaf_cuda_fetch_preallocated_picture") != 0) {
    free(made);
    return status->error;
  }
  Fill(&made->picture, frame);
  *picture = made;
  return 0;
}

/* The library takes both pictures over, also when it fails. */
static int SubmitPictures(culprit_session* session, culprit_picture* reference, culprit_picture* distorted, uint32_t index,
                          culprit_status* status) {
  const int read = vmaf.vmaf_read_pictures(session->context, &reference->picture, &distorted->picture, index);
  free(reference);
  free(distorted);
  return Report(status, read, "vmaf_read_pictures");
}

static int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame* distorted, uint32_t index,
                  culprit_status* status) {
  const culprit_frame* frames[2] = {reference, distorted};
  VmafPicture pictures[2];
  memset(pictures, 0, sizeof(pictures));
  for (int i = 0; i < 2; ++i) {
    const int made = vmaf.vmaf_picture_alloc(&pictures[i], (int)frames[i]->format, frames[i]->bits, frames[i]->width,
                                             frames[i]->height);
    if (Report(status, made, "vmaf_picture_alloc") != 0) {
      if (i == 1) vmaf.vmaf_picture_unref(&pictures[0]);
      return status->error;
    }
    Fill(&pictures[i], frames[i]);
  }
  return Report(status, vmaf.vmaf_read_pictures(session->context, &pictures[0], &pictures[1], index), "vmaf_read_pictures");
}

static int Flush(culprit_session* session, culprit_status* status) {
  return Report(status, vmaf.vmaf_read_pictures(session->context, NULL, NULL, 0), "vmaf_read_pictures at the end");
}

static const char* ScoreKey(culprit_session* session, uint32_t i) {
  for (uint32_t used = 0; used < session->used_count; ++used) {
    for (const char* const* key = session->used[used]->keys; *key != NULL; ++key) {
      if (i-- == 0) return *key;
    }
  }
  return NULL;
}

static int Score(culprit_session* session, const char* key, uint32_t index, double* value, culprit_status* status) {
  return Report(status, vmaf.vmaf_feature_score_at_index(session->context, key, value, index), key);
}

/* Without retry_close a context is gone whatever its close answered. */
static int Close(culprit_session** session, culprit_status* status) {
  const int closed = Report(status, vmaf.vmaf_close((*session)->context), "vmaf_close");
  if (closed != 0 && strstr(LIBVMAF_OPTIONS, "retry_close") != NULL) return closed;
  free(*session);
  *session = NULL;
  return closed;
}

static const culprit_lifetime kLifetimes[] = {
    {"best_effort_rollback", "state_init", "the API hands out no state that it could not make, so nobody can try again"}};

static culprit_port MakePort(void) {
  static culprit_extractor_info extractors[FEATURES];
  static char name[300];
  const char* reason = NULL;
  culprit_port port = {
      .size = sizeof(culprit_port),
      .abi = CULPRIT_PORT_ABI,
      .version = "1",
      .name = name,
      .extractors = extractors,
      .lifetimes = kLifetimes,
      .lifetime_count = 1,
      .state_init = StateInit,
      .open = Open,
      .use_extractor = UseExtractor,
      .import_state = ImportState,
      .preallocate = Preallocate,
      .fetch = Fetch,
      .submit = Submit,
      .submit_pictures = SubmitPictures,
      .flush = Flush,
      .score_key = ScoreKey,
      .score = Score,
      .close = Close,
      .state_free = StateFree,
  };
  if (!Load(&reason)) {
    fprintf(stderr, "libvmaf_port: no libvmaf with CUDA: %s\n", reason);
    snprintf(name, sizeof(name), "no libvmaf with CUDA (%s)", reason);
    return port;
  }
  snprintf(name, sizeof(name), "libvmaf %s", vmaf.vmaf_version());
  port.abilities = CULPRIT_CAN_PREALLOCATE | CULPRIT_CAN_FOREIGN_CONTEXT;
  if (strstr(LIBVMAF_OPTIONS, "retry_close") != NULL) port.abilities |= CULPRIT_CAN_RETRY_CLOSE;
  if (strstr(LIBVMAF_OPTIONS, "threads") != NULL) port.abilities |= CULPRIT_CAN_THREADS;
  for (int i = 0; i < FEATURES; ++i) {
    if (strstr(LIBVMAF_FEATURES, kFeatures[i].name) == NULL) continue;
    extractors[port.extractor_count++] = (culprit_extractor_info){kFeatures[i].name, "cuda", kFeatures[i].keys};
  }
  return port;
}

__attribute__((visibility("default"))) const culprit_port* culprit_port_entry(void) {
  static culprit_port port;
  if (port.size == 0) port = MakePort();
  return &port;
}
