// SPDX-License-Identifier: Apache-2.0
//
// A port for tests of the scheduler: a sum over the frames, made by workers at the flush. One
// extractor is right; each of the others is wrong under some interleavings only, in a way of its
// own, and right when the threads happen to take turns kindly, as they nearly always do.
#include <cuda.h>
#include <dlfcn.h>

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "suites/culprit_port.h"

struct culprit_state {};

struct culprit_session {
  uint32_t threads = 0;
  std::string extractor;
  std::vector<double> frames;  // what each adds to the sum
  bool flushed = false;

  std::mutex mutex;
  std::mutex other;
  std::condition_variable changed;
  double sum = 0;
  uint32_t workers_left = 0;
};

namespace {

// A call that does nothing and is a point where threads take turns.
int AskDriver(culprit_status* status) {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  using Ask = CUresult (*)(int*);
  static const auto ask = reinterpret_cast<Ask>(dlsym(driver, "cuDriverGetVersion"));
  int version = 0;
  const CUresult result = ask(&version);
  if (result == CUDA_SUCCESS) return 0;
  if (status->error == 0) {
    status->error = -EIO;
    status->domain = CULPRIT_DOMAIN_DRIVER;
    status->cu_result = result;
    std::snprintf(status->entry, sizeof(status->entry), "cuDriverGetVersion");
  }
  return status->error;
}

void AddUnderLock(culprit_session& session, double value, culprit_status* status) {
  AskDriver(status);
  const std::lock_guard lock(session.mutex);
  session.sum += value;
}

// Between the read and the write another worker may have added something.
void AddWithoutLock(culprit_session& session, double value, culprit_status* status) {
  const double before = session.sum;
  AskDriver(status);
  session.sum = before + value;
}

void AddUnderTwoLocks(culprit_session& session, double value, bool swapped) {
  std::mutex& first = swapped ? session.other : session.mutex;
  std::mutex& second = swapped ? session.mutex : session.other;
  const std::lock_guard outer(first);
  const std::lock_guard inner(second);
  session.sum += value;
}

void Work(culprit_session& session, uint32_t worker, uint32_t workers, culprit_status* status) {
  for (size_t frame = worker; frame < session.frames.size(); frame += workers) {
    const double value = session.frames[frame];
    if (session.extractor == "lost_update") {
      AddWithoutLock(session, value, status);
    } else if (session.extractor == "lock_order") {
      AddUnderTwoLocks(session, value, worker % 2 == 1);
    } else {
      AddUnderLock(session, value, status);
    }
  }
}

// The last worker wakes the flush.
void Leave(culprit_session& session) {
  const std::lock_guard lock(session.mutex);
  if (--session.workers_left == 0) session.changed.notify_one();
}

void AwaitWorkers(culprit_session& session) {
  if (session.extractor == "missed_signal") {
    bool wait = false;
    {
      const std::lock_guard lock(session.mutex);
      wait = session.workers_left != 0;
    }
    // The last worker may leave just here.
    std::unique_lock lock(session.mutex);
    if (wait) session.changed.wait(lock);
  } else {
    std::unique_lock lock(session.mutex);
    session.changed.wait(lock, [&] { return session.workers_left == 0; });
  }
}

int StateInit(void*, culprit_state** state, culprit_status* status) {
  if (AskDriver(status) != 0) return status->error;
  *state = new culprit_state;
  return 0;
}

int Open(const culprit_config* config, culprit_session** session, culprit_status*) {
  *session = new culprit_session;
  (*session)->threads = config->threads;
  return 0;
}

int UseExtractor(culprit_session* session, const char* name, const culprit_option*, uint32_t,
                 culprit_status*) {
  session->extractor = name;
  return 0;
}

int ImportState(culprit_session*, culprit_state*, culprit_status*) { return 0; }

int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame*, uint32_t,
           culprit_status*) {
  session->frames.push_back(static_cast<const uint8_t*>(reference->data[0])[0] + 1);
  return 0;
}

int Flush(culprit_session* session, culprit_status* status) {
  const uint32_t workers = session->threads;
  if (workers == 0) {
    Work(*session, 0, 1, status);
  } else {
    std::vector<culprit_status> each(workers, *status);
    std::vector<std::thread> threads;
    session->workers_left = workers;
    for (uint32_t i = 0; i < workers; ++i) {
      threads.emplace_back([session, i, workers, mine = &each[i]] {
        Work(*session, i, workers, mine);
        Leave(*session);
      });
    }
    AwaitWorkers(*session);
    for (std::thread& thread : threads) thread.join();
    for (const culprit_status& one : each) {
      if (status->error == 0) *status = one;
    }
  }
  session->flushed = status->error == 0;
  return status->error;
}

const char* ScoreKey(culprit_session* session, uint32_t i) {
  return session->flushed && i == 0 ? "sum" : nullptr;
}

int Score(culprit_session* session, const char*, uint32_t, double* value, culprit_status*) {
  *value = session->sum;
  return 0;
}

int Close(culprit_session** session, culprit_status*) {
  delete *session;
  *session = nullptr;
  return 0;
}

int StateFree(culprit_state** state, culprit_status*) {
  delete *state;
  *state = nullptr;
  return 0;
}

const char* const kKeys[] = {"sum", nullptr};
const culprit_extractor_info kExtractors[] = {{"right", "cuda", kKeys},
                                              {"lost_update", "cuda", kKeys},
                                              {"lock_order", "cuda", kKeys},
                                              {"missed_signal", "cuda", kKeys}};

culprit_port MakePort() {
  culprit_port port{};
  port.size = sizeof(port);
  port.abi = CULPRIT_PORT_ABI;
  port.name = "threaded";
  port.version = "1";
  port.abilities = CULPRIT_CAN_THREADS | CULPRIT_CAN_RETRY_CLOSE;
  port.extractors = kExtractors;
  port.extractor_count = sizeof(kExtractors) / sizeof(kExtractors[0]);
  port.state_init = StateInit;
  port.open = Open;
  port.use_extractor = UseExtractor;
  port.import_state = ImportState;
  port.submit = Submit;
  port.flush = Flush;
  port.score_key = ScoreKey;
  port.score = Score;
  port.close = Close;
  port.state_free = StateFree;
  return port;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const culprit_port* culprit_port_entry() {
  static const culprit_port port = MakePort();
  return &port;
}
