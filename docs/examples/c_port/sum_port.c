/* SPDX-License-Identifier: Apache-2.0
 *
 * A port in plain C: one extractor, "sum", that sends both luma planes through the device and adds up their differences.
 * It shows the contract at its smallest. Every handle is cleared only after its release succeeded, so a close that failed
 * can be called again and touches what is left; every call restores the caller's context; the first error is reported.
 *
 * It declares the few driver functions it uses itself, so it needs no toolkit.
 */
#include <culprit_port.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef void* CUcontext;
typedef void* CUstream;
typedef unsigned long long CUdeviceptr;
enum { SUCCESS = 0 };

static struct {
  int (*cuInit)(unsigned);
  int (*cuDevicePrimaryCtxRetain)(CUcontext*, int);
  int (*cuDevicePrimaryCtxRelease_v2)(int);
  int (*cuCtxGetCurrent)(CUcontext*);
  int (*cuCtxPushCurrent_v2)(CUcontext);
  int (*cuCtxPopCurrent_v2)(CUcontext*);
  int (*cuStreamCreate)(CUstream*, unsigned);
  int (*cuStreamSynchronize)(CUstream);
  int (*cuStreamDestroy_v2)(CUstream);
  int (*cuMemAlloc_v2)(CUdeviceptr*, size_t);
  int (*cuMemFree_v2)(CUdeviceptr);
  int (*cuMemcpyHtoDAsync_v2)(CUdeviceptr, const void*, size_t, CUstream);
  int (*cuMemcpyDtoHAsync_v2)(void*, CUdeviceptr, size_t, CUstream);
} cu;

struct culprit_state {
  CUcontext context;
  int retained; /* device 0's primary context is ours to release */
  CUstream stream;
  int quiet; /* nothing was queued since the stream was last waited for */
  int imported;
};

struct culprit_session {
  struct culprit_state device; /* what import_state handed over */
  uint32_t width, height, bytes;
  int uses_sum;
  CUdeviceptr planes; /* reference, then distorted */
  void* staging;      /* host memory of the same size, twice: sent and fetched back */
  double* scores;
  uint32_t score_count;
};

/* Keeps the first error of one call into the port. */
static int Driver(culprit_status* status, int result, const char* entry) {
  if (result == SUCCESS || status->error != 0) return result;
  status->error = -EIO;
  status->domain = CULPRIT_DOMAIN_DRIVER;
  status->cu_result = result;
  snprintf(status->entry, sizeof(status->entry), "%s", entry);
  snprintf(status->message, sizeof(status->message), "%s failed with %d", entry, result);
  return result;
}
#define CU(status, entry, ...) Driver(status, cu.entry(__VA_ARGS__), #entry)

static int Refuse(culprit_status* status, int error, int domain, const char* message) {
  if (status->error == 0) {
    status->error = error;
    status->domain = domain;
    snprintf(status->message, sizeof(status->message), "%s", message);
  }
  return status->error;
}

static int LoadDriver(culprit_status* status) {
  static void* library;
  if (library == NULL) library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return Refuse(status, -ENOENT, CULPRIT_DOMAIN_HOST, "there is no libcuda.so.1");
#define BIND(entry)                                                                                     \
  if ((*(void**)&cu.entry = dlsym(library, #entry)) == NULL)                                            \
    return Refuse(status, -ENOSYS, CULPRIT_DOMAIN_HOST, "libcuda.so.1 has no " #entry);
  BIND(cuInit)
  BIND(cuDevicePrimaryCtxRetain)
  BIND(cuDevicePrimaryCtxRelease_v2)
  BIND(cuCtxGetCurrent)
  BIND(cuCtxPushCurrent_v2)
  BIND(cuCtxPopCurrent_v2)
  BIND(cuStreamCreate)
  BIND(cuStreamSynchronize)
  BIND(cuStreamDestroy_v2)
  BIND(cuMemAlloc_v2)
  BIND(cuMemFree_v2)
  BIND(cuMemcpyHtoDAsync_v2)
  BIND(cuMemcpyDtoHAsync_v2)
  return 0;
}

static CUcontext Current(culprit_status* status) {
  CUcontext current = NULL;
  CU(status, cuCtxGetCurrent, &current);
  return current;
}

struct entered {
  int inside; /* the context is current */
  int pushed; /* because Enter pushed it */
};

/* Where the context is current already, nothing is pushed: a pop that fails could not be told from one that did not. */
static struct entered Enter(CUcontext context, culprit_status* status) {
  struct entered entered = {0, 0};
  const int before = status->error;
  const CUcontext current = Current(status);
  if (status->error != before) return entered;
  if (current == context) {
    entered.inside = 1;
    return entered;
  }
  /* A push that failed may have had its effect all the same. */
  entered.pushed = CU(status, cuCtxPushCurrent_v2, context) == SUCCESS || Current(status) == context;
  entered.inside = entered.pushed;
  return entered;
}

/* A pop that failed is tried once more, unless it popped all the same. What cannot be made good is reported as what came
 * first: the failed pop. */
static void Leave(struct entered entered, CUcontext context, culprit_status* status) {
  CUcontext context_now = NULL;
  if (!entered.pushed) return;
  const int first = cu.cuCtxPopCurrent_v2(&context_now);
  if (first == SUCCESS) return;
  int asked = cu.cuCtxGetCurrent(&context_now);
  if (asked != SUCCESS) asked = cu.cuCtxGetCurrent(&context_now);
  if (asked == SUCCESS && context_now != context) return;
  if (asked == SUCCESS && cu.cuCtxPopCurrent_v2(&context_now) == SUCCESS) return;
  Driver(status, first, "cuCtxPopCurrent_v2");
}

static int StateInit(void* context, culprit_state** state, culprit_status* status) {
  if (LoadDriver(status) != 0) return status->error;
  struct culprit_state* made = calloc(1, sizeof(*made));
  if (made == NULL) return Refuse(status, -ENOMEM, CULPRIT_DOMAIN_HOST, "no memory");
  if (CU(status, cuInit, 0) != SUCCESS) goto failed;
  made->context = context;
  if (context == NULL) {
    if (CU(status, cuDevicePrimaryCtxRetain, &made->context, 0) != SUCCESS) goto failed;
    made->retained = 1;
  }
  struct entered entered = Enter(made->context, status);
  if (status->error == 0) CU(status, cuStreamCreate, &made->stream, 0);
  Leave(entered, made->context, status);
  if (status->error != 0) goto failed;
  *state = made;
  return 0;

failed:
  if (made->stream != NULL) {
    entered = Enter(made->context, status);
    CU(status, cuStreamDestroy_v2, made->stream);
    Leave(entered, made->context, status);
  }
  if (made->retained) CU(status, cuDevicePrimaryCtxRelease_v2, 0);
  free(made);
  return status->error;
}

/* A stream whose destroy failed may be gone all the same: it is waited for once and not touched again but to destroy it. */
static int Quiesce(struct culprit_state* device, culprit_status* status) {
  if (!device->quiet && CU(status, cuStreamSynchronize, device->stream) == SUCCESS) device->quiet = 1;
  return device->quiet;
}

/* Stream, then context; what failed is kept for the next attempt. */
static void ReleaseDevice(struct culprit_state* device, culprit_status* status) {
  if (device->stream != NULL) {
    struct entered entered = Enter(device->context, status);
    if (entered.inside && Quiesce(device, status) && CU(status, cuStreamDestroy_v2, device->stream) == SUCCESS) {
      device->stream = NULL;
    }
    Leave(entered, device->context, status);
  }
  if (device->stream == NULL && device->retained &&
      CU(status, cuDevicePrimaryCtxRelease_v2, 0) == SUCCESS) {
    device->retained = 0;
  }
}

static int StateFree(culprit_state** state, culprit_status* status) {
  struct culprit_state* held = *state;
  if (!held->imported) ReleaseDevice(held, status);
  if (status->error != 0) return status->error;
  free(held);
  *state = NULL;
  return 0;
}

static int Open(const culprit_config* config, culprit_session** session, culprit_status* status) {
  struct culprit_session* made = calloc(1, sizeof(*made));
  if (made == NULL) return Refuse(status, -ENOMEM, CULPRIT_DOMAIN_HOST, "no memory");
  made->width = config->width;
  made->height = config->height;
  made->bytes = config->bits > 8 ? 2 : 1;
  *session = made;
  return 0;
}

static int UseExtractor(culprit_session* session, const char* name, const culprit_option* options, uint32_t option_count,
                        culprit_status* status) {
  (void)options;
  if (strcmp(name, "sum") != 0 || option_count != 0) {
    return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "the only extractor is sum, without options");
  }
  session->uses_sum = 1;
  return 0;
}

static int ImportState(culprit_session* session, culprit_state* state, culprit_status* status) {
  if (session->device.context != NULL || state->imported) {
    return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "a state is imported once");
  }
  session->device = *state;
  state->imported = 1;
  return 0;
}

static size_t PlaneBytes(const culprit_session* session) {
  return (size_t)session->width * session->height * session->bytes;
}

static int Prepare(culprit_session* session, uint32_t index, culprit_status* status) {
  const size_t bytes = PlaneBytes(session);
  if (index >= session->score_count) {
    double* more = realloc(session->scores, (index + 1) * sizeof(double));
    if (more == NULL) return Refuse(status, -ENOMEM, CULPRIT_DOMAIN_HOST, "no memory");
    session->scores = more;
    session->score_count = index + 1;
  }
  if (session->staging == NULL) session->staging = malloc(4 * bytes);
  if (session->staging == NULL) return Refuse(status, -ENOMEM, CULPRIT_DOMAIN_HOST, "no memory");
  if (session->planes == 0) CU(status, cuMemAlloc_v2, &session->planes, 2 * bytes);
  return status->error;
}

static double SumOfDifferences(const culprit_session* session, const unsigned char* planes) {
  const size_t samples = (size_t)session->width * session->height;
  double sum = 0;
  for (size_t i = 0; i < samples; ++i) {
    int reference = 0, distorted = 0;
    memcpy(&reference, planes + i * session->bytes, session->bytes);
    memcpy(&distorted, planes + (samples + i) * session->bytes, session->bytes);
    sum += abs(reference - distorted);
  }
  return sum;
}

static int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame* distorted, uint32_t index,
                  culprit_status* status) {
  const size_t bytes = PlaneBytes(session), row = (size_t)session->width * session->bytes;
  CUstream stream = session->device.stream;
  struct entered entered = Enter(session->device.context, status);
  if (status->error == 0 && Prepare(session, index, status) == 0) {
    unsigned char* sent = session->staging;
    unsigned char* fetched = sent + 2 * bytes;
    const culprit_frame* frames[2] = {reference, distorted};
    for (int i = 0; i < 2; ++i) {
      for (uint32_t y = 0; y < session->height; ++y) {
        memcpy(sent + i * bytes + y * row, (const char*)frames[i]->data[0] + y * frames[i]->stride[0], row);
      }
    }
    session->device.quiet = 0;
    /* The staging memory is host memory of ours: it may be reused only once the stream is done with it. */
    int queued = CU(status, cuMemcpyHtoDAsync_v2, session->planes, sent, 2 * bytes, stream);
    if (queued == SUCCESS) queued = CU(status, cuMemcpyDtoHAsync_v2, fetched, session->planes, 2 * bytes, stream);
    if (CU(status, cuStreamSynchronize, stream) == SUCCESS && queued == SUCCESS) {
      session->scores[index] = SumOfDifferences(session, fetched);
    }
  }
  Leave(entered, session->device.context, status);
  return status->error;
}

static int Flush(culprit_session* session, culprit_status* status) {
  struct entered entered = Enter(session->device.context, status);
  if (entered.inside) CU(status, cuStreamSynchronize, session->device.stream);
  Leave(entered, session->device.context, status);
  return status->error;
}

static const char* ScoreKey(culprit_session* session, uint32_t i) {
  return i == 0 && session->uses_sum && session->score_count != 0 ? "sum" : NULL;
}

static int Score(culprit_session* session, const char* key, uint32_t index, double* value, culprit_status* status) {
  if (strcmp(key, "sum") != 0 || index >= session->score_count) {
    return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "no such score");
  }
  *value = session->scores[index];
  return 0;
}

static int Close(culprit_session** session, culprit_status* status) {
  struct culprit_session* held = *session;
  if (held->planes != 0) {
    struct entered entered = Enter(held->device.context, status);
    if (entered.inside && Quiesce(&held->device, status) && CU(status, cuMemFree_v2, held->planes) == SUCCESS) {
      held->planes = 0;
    }
    Leave(entered, held->device.context, status);
  }
  if (held->planes == 0) ReleaseDevice(&held->device, status);
  if (status->error != 0) return status->error;
  free(held->staging);
  free(held->scores);
  free(held);
  *session = NULL;
  return 0;
}

static const culprit_lifetime kLifetimes[] = {
    {"best_effort_rollback", "state_init", "a state that was never handed out cannot be released a second time"}};
static const char* const kKeys[] = {"sum", NULL};
static const culprit_extractor_info kExtractors[] = {{"sum", "cuda", kKeys}};

EXPORT const culprit_port* culprit_port_entry(void) {
  static const culprit_port port = {
      .size = sizeof(culprit_port),
      .abi = CULPRIT_PORT_ABI,
      .name = "sum in C",
      .version = "1",
      .abilities = CULPRIT_CAN_RETRY_CLOSE | CULPRIT_CAN_FOREIGN_CONTEXT,
      .extractors = kExtractors,
      .extractor_count = 1,
      .lifetimes = kLifetimes,
      .lifetime_count = 1,
      .state_init = StateInit,
      .open = Open,
      .use_extractor = UseExtractor,
      .import_state = ImportState,
      .submit = Submit,
      .flush = Flush,
      .score_key = ScoreKey,
      .score = Score,
      .close = Close,
      .state_free = StateFree,
  };
  return &port;
}
