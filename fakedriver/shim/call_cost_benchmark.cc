// SPDX-License-Identifier: Apache-2.0
//
// What a call costs through the library as programs load it. CULPRIT_COST_LIBRARY names another
// driver to measure instead, the vendor's for example, so that both can be compared on one machine;
// what needs the control table is skipped there.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/control/control.h"

namespace {

const char* LibraryPath() {
  const char* other = std::getenv("CULPRIT_COST_LIBRARY");
  return other != nullptr ? other : CULPRIT_FAKE_LIBRARY;
}

// The driver under measurement, with device 0's primary context current.
class Driver {
 public:
  static Driver& Get() {
    static Driver driver;
    return driver;
  }

  template <typename Function>
  Function Entry(const char* name) {
    void* entry = dlsym(library_, name);
    if (entry == nullptr) Fail(name);
    return reinterpret_cast<Function>(entry);
  }

  CUcontext context() const { return context_; }
  const culprit_control_table* control() const { return control_; }

 private:
  Driver() : library_(dlopen(LibraryPath(), RTLD_NOW)) {
    if (library_ == nullptr) Fail(dlerror());
    if (void* entry = dlsym(library_, CULPRIT_CONTROL_SYMBOL)) {
      control_ = reinterpret_cast<culprit_control_fn>(entry)();
    }
    if (Entry<decltype(&cuInit)>("cuInit")(0) != CUDA_SUCCESS) Fail("cuInit");
    auto* retain = Entry<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain");
    if (retain(&context_, 0) != CUDA_SUCCESS) Fail("cuDevicePrimaryCtxRetain");
    Entry<decltype(&cuCtxSetCurrent)>("cuCtxSetCurrent")(context_);
  }

  [[noreturn]] static void Fail(const char* what) {
    std::fprintf(stderr, "call_cost: %s: %s\n", LibraryPath(), what);
    std::exit(1);
  }

  void* library_;
  CUcontext context_ = nullptr;
  const culprit_control_table* control_ = nullptr;
};

void GetCurrentLoop(benchmark::State& state) {
  auto* get_current = Driver::Get().Entry<decltype(&cuCtxGetCurrent)>("cuCtxGetCurrent");
  CUcontext current = nullptr;
  for (auto _ : state) benchmark::DoNotOptimize(get_current(&current));
}

void PushPopLoop(benchmark::State& state) {
  Driver& driver = Driver::Get();
  auto* push = driver.Entry<decltype(&cuCtxPushCurrent_v2)>("cuCtxPushCurrent_v2");
  auto* pop = driver.Entry<decltype(&cuCtxPopCurrent_v2)>("cuCtxPopCurrent_v2");
  CUcontext popped = nullptr;
  for (auto _ : state) {
    push(driver.context());
    pop(&popped);
  }
  if (popped != driver.context()) state.SkipWithError("the stack did not give the context back");
}

void GetCurrent(benchmark::State& state) { GetCurrentLoop(state); }
BENCHMARK(GetCurrent);

void PushPop(benchmark::State& state) { PushPopLoop(state); }
BENCHMARK(PushPop);

void EventCreateDestroy(benchmark::State& state) {
  auto* create = Driver::Get().Entry<decltype(&cuEventCreate)>("cuEventCreate");
  auto* destroy = Driver::Get().Entry<decltype(&cuEventDestroy_v2)>("cuEventDestroy_v2");
  for (auto _ : state) {
    CUevent event = nullptr;
    if (create(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS || destroy(event) != CUDA_SUCCESS) {
      state.SkipWithError("an event could not be made or destroyed");
      break;
    }
  }
}
BENCHMARK(EventCreateDestroy);

void StreamCreateDestroy(benchmark::State& state) {
  auto* create = Driver::Get().Entry<decltype(&cuStreamCreate)>("cuStreamCreate");
  auto* destroy = Driver::Get().Entry<decltype(&cuStreamDestroy_v2)>("cuStreamDestroy_v2");
  for (auto _ : state) {
    CUstream stream = nullptr;
    if (create(&stream, CU_STREAM_DEFAULT) != CUDA_SUCCESS || destroy(stream) != CUDA_SUCCESS) {
      state.SkipWithError("a stream could not be made or destroyed");
      break;
    }
  }
}
BENCHMARK(StreamCreateDestroy);

void PrimaryRetainRelease(benchmark::State& state) {
  Driver& driver = Driver::Get();
  auto* retain = driver.Entry<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain");
  auto* release =
      driver.Entry<decltype(&cuDevicePrimaryCtxRelease_v2)>("cuDevicePrimaryCtxRelease_v2");
  CUcontext context = nullptr;
  for (auto _ : state) {
    retain(&context, 0);
    release(0);
  }
}
BENCHMARK(PrimaryRetainRelease);

// With a fault planned that never fires, on another entry or on the one that is called.
void WithPlan(benchmark::State& state, const char* entry) {
  const culprit_control_table* control = Driver::Get().control();
  if (control == nullptr) {
    state.SkipWithError("not the fake driver");
    return;
  }
  const culprit_fault fault = {.size = sizeof(culprit_fault),
                               .entry = entry,
                               .family = nullptr,
                               .thread = 0,
                               .nth = ~uint64_t{0},
                               .when = CULPRIT_FAULT_BEFORE,
                               .span = CULPRIT_FAULT_ONCE,
                               .result = CUDA_ERROR_UNKNOWN,
                               .optional = 1};
  if (control->add_fault(&fault) < 0) state.SkipWithError(control->last_error());
  GetCurrentLoop(state);
  control->clear_faults();
}
BENCHMARK_CAPTURE(WithPlan, ForAnotherEntry, "cuMemAlloc");
BENCHMARK_CAPTURE(WithPlan, ForThisEntry, "cuCtxGetCurrent");

void WithCallLog(benchmark::State& state) {
  const culprit_control_table* control = Driver::Get().control();
  if (control == nullptr) {
    state.SkipWithError("not the fake driver");
    return;
  }
  control->log_calls(1);
  GetCurrentLoop(state);
  control->log_calls(0);
}
BENCHMARK(WithCallLog)->Iterations(1'000'000);

// Work in streams, of which there may be one or two: from the second on, who orders what is
// followed (memory.race_between_streams) unless
// CULPRIT_SETTINGS='{"checks":{"stream_races":false}}'.
class Streams {
 public:
  explicit Streams(int64_t count) : streams_(static_cast<size_t>(count)) {
    Driver& driver = Driver::Get();
    auto* create = driver.Entry<decltype(&cuStreamCreate)>("cuStreamCreate");
    auto* allocate = driver.Entry<decltype(&cuMemAlloc_v2)>("cuMemAlloc_v2");
    for (CUstream& stream : streams_) create(&stream, CU_STREAM_NON_BLOCKING);
    allocate(&memory_, kBytes * streams_.size());
    memset_ = driver.Entry<decltype(&cuMemsetD8Async)>("cuMemsetD8Async");
  }
  ~Streams() {
    Driver& driver = Driver::Get();
    driver.Entry<decltype(&cuMemFree_v2)>("cuMemFree_v2")(memory_);
    auto* destroy = driver.Entry<decltype(&cuStreamDestroy_v2)>("cuStreamDestroy_v2");
    for (CUstream stream : streams_) destroy(stream);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  CUstream operator[](size_t i) const { return streams_[i % streams_.size()]; }
  // Each stream has bytes of its own.
  CUresult Set(size_t i) const {
    return memset_(memory_ + kBytes * (i % streams_.size()), 1, kBytes, (*this)[i]);
  }

 private:
  static constexpr size_t kBytes = 256;
  std::vector<CUstream> streams_;
  CUdeviceptr memory_ = 0;
  decltype(&cuMemsetD8Async) memset_ = nullptr;
};

void SetBytes(benchmark::State& state) {
  const Streams streams(state.range(0));
  size_t i = 0;
  for (auto _ : state) {
    if (streams.Set(i++) != CUDA_SUCCESS) state.SkipWithError("bytes could not be set");
  }
}
BENCHMARK(SetBytes)->ArgName("streams")->Arg(1)->Arg(2);

// A call that sets bytes in a stream, one that records an event there and one by which the next
// stream waits for it.
void SetRecordWait(benchmark::State& state) {
  Driver& driver = Driver::Get();
  auto* record = driver.Entry<decltype(&cuEventRecord)>("cuEventRecord");
  auto* wait = driver.Entry<decltype(&cuStreamWaitEvent)>("cuStreamWaitEvent");
  const Streams streams(state.range(0));
  CUevent event = nullptr;
  driver.Entry<decltype(&cuEventCreate)>("cuEventCreate")(&event, CU_EVENT_DISABLE_TIMING);
  size_t i = 0;
  for (auto _ : state) {
    streams.Set(i);
    record(event, streams[i]);
    if (wait(streams[++i], event, 0) != CUDA_SUCCESS) state.SkipWithError("no wait");
  }
  driver.Entry<decltype(&cuEventDestroy_v2)>("cuEventDestroy_v2")(event);
}
BENCHMARK(SetRecordWait)->ArgName("streams")->Arg(1)->Arg(2);

// Last, because the context stays alive and settings change only while nothing does: the trace is
// opened by the environment.
void WithTrace(benchmark::State& state) {
  if (std::getenv("CULPRIT_TRACE") == nullptr) {
    state.SkipWithError("set CULPRIT_TRACE to measure calls that are traced");
    return;
  }
  GetCurrentLoop(state);
}
BENCHMARK(WithTrace)->Iterations(1'000'000);

}  // namespace
