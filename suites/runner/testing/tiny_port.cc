// SPDX-License-Identifier: Apache-2.0
//
// The smallest port that keeps every promise, for tests of the runner itself: a primary context, a
// stream and an event, and a score that is computed on the host. The option "defect" of its one
// extractor makes it break a promise on purpose, so that a test can see each kind of finding come
// out.
#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>
#include <csignal>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "suites/culprit_port.h"

namespace {

template <typename Function>
Function Entry(const char* symbol) {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(dlsym(driver, symbol));
}

#define TINY_ENTRY(symbol, ...) Entry<CUresult (*)(__VA_ARGS__)>(#symbol)

// Keeps the first error of one call into the port.
class FirstError {
 public:
  explicit FirstError(culprit_status* status) : status_(status) {}
  bool Check(CUresult result, const char* entry) {
    if (result == CUDA_SUCCESS) return true;
    if (status_->error == 0) {
      status_->error = -EIO;
      status_->domain = CULPRIT_DOMAIN_DRIVER;
      status_->cu_result = result;
      std::snprintf(status_->entry, sizeof(status_->entry), "%s", entry);
      std::snprintf(status_->message, sizeof(status_->message), "the driver refused");
    }
    return false;
  }
  int Refuse(int error, const char* message) {
    if (status_->error == 0) {
      status_->error = error;
      status_->domain = CULPRIT_DOMAIN_EXTRACTOR;
      std::snprintf(status_->message, sizeof(status_->message), "%s", message);
    }
    return status_->error;
  }
  int code() const { return status_->error; }

 private:
  culprit_status* status_;
};

}  // namespace

struct culprit_state {
  CUcontext context = nullptr;
  bool retained = false;
  CUstream stream = nullptr;
  bool imported = false;
};

struct culprit_session {
  culprit_state* state = nullptr;
  CUcontext context = nullptr;
  bool retained = false;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  std::string defect;
  std::map<uint32_t, double> scores;
};

namespace {

// Nothing is pushed when the context is current already: then nothing has to be told from it at the
// pop.
bool Push(FirstError& error, CUcontext context, bool* pushed) {
  CUcontext current = nullptr;
  if (!error.Check(TINY_ENTRY(cuCtxGetCurrent, CUcontext*)(&current), "cuCtxGetCurrent"))
    return false;
  *pushed = current != context;
  if (!*pushed) return true;
  return error.Check(TINY_ENTRY(cuCtxPushCurrent_v2, CUcontext)(context), "cuCtxPushCurrent_v2");
}

// A pop that reports failure may have popped; only one that has not is repeated.
void Pop(FirstError& error, CUcontext context, bool pushed) {
  if (!pushed) return;
  CUcontext popped = nullptr;
  const CUresult result = TINY_ENTRY(cuCtxPopCurrent_v2, CUcontext*)(&popped);
  if (result == CUDA_SUCCESS) return;
  CUcontext current = nullptr;
  const CUresult asked = TINY_ENTRY(cuCtxGetCurrent, CUcontext*)(&current);
  if (asked == CUDA_SUCCESS && current != context) return;
  if (TINY_ENTRY(cuCtxPopCurrent_v2, CUcontext*)(&popped) != CUDA_SUCCESS) {
    error.Check(result, "cuCtxPopCurrent_v2");
  }
}

void ReleaseContext(FirstError& error, bool* retained) {
  if (*retained && error.Check(TINY_ENTRY(cuDevicePrimaryCtxRelease_v2, CUdevice)(0),
                               "cuDevicePrimaryCtxRelease_v2")) {
    *retained = false;
  }
}

int StateInit(void* context, culprit_state** out, culprit_status* status) {
  FirstError error(status);
  if (!error.Check(TINY_ENTRY(cuInit, unsigned)(0), "cuInit")) return error.code();
  culprit_state made;
  made.context = static_cast<CUcontext>(context);
  if (context == nullptr) {
    made.retained =
        error.Check(TINY_ENTRY(cuDevicePrimaryCtxRetain, CUcontext*, CUdevice)(&made.context, 0),
                    "cuDevicePrimaryCtxRetain");
    if (!made.retained) return error.code();
  }
  bool pushed = false;
  if (Push(error, made.context, &pushed)) {
    error.Check(TINY_ENTRY(cuStreamCreate, CUstream*, unsigned)(&made.stream, 0), "cuStreamCreate");
    Pop(error, made.context, pushed);
  }
  if (error.code() == 0) {
    *out = new culprit_state(made);
    return 0;
  }
  if (made.stream != nullptr && Push(error, made.context, &pushed)) {
    TINY_ENTRY(cuStreamDestroy_v2, CUstream)(made.stream);
    Pop(error, made.context, pushed);
  }
  ReleaseContext(error, &made.retained);
  return error.code();
}

int Open(const culprit_config*, culprit_session** session, culprit_status*) {
  *session = new culprit_session;
  return 0;
}

int Use(culprit_session* session, const char* name, const culprit_option* options, uint32_t count,
        culprit_status* status) {
  FirstError error(status);
  if (std::strcmp(name, "tiny") != 0) return error.Refuse(-ENOENT, "no such extractor");
  for (uint32_t i = 0; i < count; ++i) {
    if (std::strcmp(options[i].key, "defect") == 0) session->defect = options[i].value;
  }
  return 0;
}

int Import(culprit_session* session, culprit_state* state, culprit_status* status) {
  FirstError error(status);
  if (state->imported || session->state != nullptr) {
    return error.Refuse(-EINVAL, "a state is imported once");
  }
  state->imported = true;
  session->state = state;
  session->context = state->context;
  session->retained = state->retained;
  session->stream = state->stream;
  return 0;
}

int CreateEvent(culprit_session* session, FirstError& error) {
  if (session->event != nullptr) return 0;
  bool pushed = false;
  if (!Push(error, session->context, &pushed)) return error.code();
  const CUresult result =
      TINY_ENTRY(cuEventCreate, CUevent*, unsigned)(&session->event, CU_EVENT_DISABLE_TIMING);
  if (session->defect == "swallow" && result != CUDA_SUCCESS) {
    Pop(error, session->context, pushed);
    return 0;
  }
  error.Check(result, session->defect == "lost" ? "cuStreamSynchronize" : "cuEventCreate");
  if (session->defect != "unbalanced") Pop(error, session->context, pushed);
  return error.code();
}

int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame*,
           uint32_t index, culprit_status* status) {
  FirstError error(status);
  if (session->stream == nullptr) return error.Refuse(-EINVAL, "no state was imported");
  if (session->defect == "crash") std::raise(SIGSEGV);
  if (session->defect == "hang") {
    while (true) pause();
  }
  if (session->defect == "exit") std::exit(3);
  if (CreateEvent(session, error) != 0) return error.code();
  if (session->event != nullptr) {
    error.Check(TINY_ENTRY(cuEventRecord, CUevent, CUstream)(session->event, session->stream),
                "cuEventRecord");
  }
  const auto* samples = static_cast<const unsigned char*>(reference->data[0]);
  double sum = session->defect == "wrong_score" && status->error != 0 ? 1 : 0;
  for (uint32_t x = 0; x < reference->width; ++x) sum += samples[x];
  session->scores[index] = sum;
  return error.code();
}

int Flush(culprit_session* session, culprit_status* status) {
  FirstError error(status);
  if (session->stream == nullptr) return error.Refuse(-EINVAL, "no state was imported");
  error.Check(TINY_ENTRY(cuStreamSynchronize, CUstream)(session->stream), "cuStreamSynchronize");
  return error.code();
}

const char* ScoreKey(culprit_session*, uint32_t i) { return i == 0 ? "tiny" : nullptr; }

int Score(culprit_session* session, const char*, uint32_t index, double* value,
          culprit_status* status) {
  const auto found = session->scores.find(index);
  if (found == session->scores.end()) return FirstError(status).Refuse(-ENOENT, "no such frame");
  *value = found->second;
  return 0;
}

int Close(culprit_session** pointer, culprit_status* status) {
  FirstError error(status);
  culprit_session* session = *pointer;
  if (session->stream != nullptr || session->event != nullptr) {
    bool pushed = false;
    if (!Push(error, session->context, &pushed)) return error.code();
    const bool leak = session->defect == "leak";
    if (session->event != nullptr && !leak &&
        (error.Check(TINY_ENTRY(cuEventDestroy_v2, CUevent)(session->event), "cuEventDestroy_v2") ||
         session->defect == "forget")) {
      session->event = nullptr;
    }
    if (session->stream != nullptr &&
        error.Check(TINY_ENTRY(cuStreamDestroy_v2, CUstream)(session->stream),
                    "cuStreamDestroy_v2")) {
      session->stream = nullptr;
    }
    Pop(error, session->context, pushed);
  }
  if (error.code() == 0) ReleaseContext(error, &session->retained);
  if (error.code() != 0) return error.code();
  delete session;
  *pointer = nullptr;
  return 0;
}

int StateFree(culprit_state** pointer, culprit_status* status) {
  FirstError error(status);
  culprit_state* state = *pointer;
  if (!state->imported) {
    if (state->stream != nullptr) {
      bool pushed = false;
      if (!Push(error, state->context, &pushed)) return error.code();
      if (error.Check(TINY_ENTRY(cuStreamDestroy_v2, CUstream)(state->stream),
                      "cuStreamDestroy_v2")) {
        state->stream = nullptr;
      }
      Pop(error, state->context, pushed);
    }
    if (error.code() == 0) ReleaseContext(error, &state->retained);
    if (error.code() != 0) return error.code();
  }
  delete state;
  *pointer = nullptr;
  return 0;
}

const char* const kKeys[] = {"tiny", nullptr};
const culprit_extractor_info kExtractors[] = {{"tiny", "cuda", kKeys}};

const culprit_port kPort = {
    .size = sizeof(culprit_port),
    .abi = CULPRIT_PORT_ABI,
    .name = "tiny",
    .version = "1",
    .abilities = CULPRIT_CAN_RETRY_CLOSE | CULPRIT_CAN_FOREIGN_CONTEXT,
    .extractors = kExtractors,
    .extractor_count = 1,
    .lifetimes = nullptr,
    .lifetime_count = 0,
    .state_init = StateInit,
    .open = Open,
    .use_extractor = Use,
    .import_state = Import,
    .preallocate = nullptr,
    .fetch = nullptr,
    .submit = Submit,
    .submit_pictures = nullptr,
    .flush = Flush,
    .score_key = ScoreKey,
    .score = Score,
    .close = Close,
    .state_free = StateFree,
    .operations = nullptr,
    .operate = nullptr,
    .smallest_frame = nullptr,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const culprit_port* culprit_port_entry() {
  return &kPort;
}
