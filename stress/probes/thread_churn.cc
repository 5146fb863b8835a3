// SPDX-License-Identifier: Apache-2.0
// Four threads that make and drop streams, events, memory and modules in a seeded order of their
// own, all at once, in one context. Before that each makes as many of every kind as it can ever
// hold, so that what drivers keep for the most objects alive at once is there from the start. One
// stream is handed over and destroyed by the main thread; the control loses it. The threads live as
// long as the run: what a thread that ends leaves behind is another probe's subject.
#include <array>
#include <barrier>
#include <random>
#include <thread>
#include <variant>
#include <vector>

#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {
namespace {

constexpr size_t kThreads = 4;
constexpr int kSteps = 16;

class ThreadChurn final : public Workload {
 public:
  explicit ThreadChurn(Session& session) : Workload(session), image_(SmallModule()) {
    AddPair(
        "four threads, and cuStreamCreate in one", [this] { return Run(); }, "cuStreamDestroy",
        [this] { return driver().cuStreamDestroy(handed_over_); });
  }
  ~ThreadChurn() override { Stop(); }

  Outcome Setup() override {
    for (size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this, i] { Work(i); });
    filling_ = true;
    Outcome filled = Run();
    filling_ = false;
    return filled;
  }
  Outcome Teardown() override {
    Stop();
    return {};
  }

 private:
  using Object = std::variant<CUstream, CUevent, CUmodule, CUdeviceptr>;

  void Stop() {
    if (threads_.empty()) return;
    stopping_ = true;
    start_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  Outcome Run() {
    start_.arrive_and_wait();
    done_.arrive_and_wait();
    for (Outcome& outcome : outcomes_) {
      if (!outcome.ok()) return outcome;
    }
    return {};
  }

  void Work(size_t index) {
    Outcome bound = driver().cuCtxSetCurrent(session().context());
    for (;;) {
      start_.arrive_and_wait();
      if (stopping_) return;
      outcomes_[index] = !bound.ok() ? bound : filling_ ? Fill() : Churn(index);
      done_.arrive_and_wait();
    }
  }

  // The most that Churn can hold, of every kind, in all threads at once.
  Outcome Fill() {
    std::vector<Object> objects;
    Outcome first;
    for (unsigned kind = 0; kind < std::variant_size_v<Object> && first.ok(); ++kind) {
      for (int step = 0; step < kSteps && first.ok(); ++step) {
        Object object;
        first = Make(kind, &object);
        if (first.ok()) objects.push_back(object);
      }
    }
    full_.arrive_and_wait();
    for (const Object& object : objects) {
      Outcome dropped = Drop(object);
      if (first.ok()) first = dropped;
    }
    return first;
  }

  Outcome Churn(size_t index) {
    std::mt19937 random(static_cast<unsigned>(cycle() * kThreads + index));
    std::vector<Object> objects;
    Outcome first;
    for (int step = 0; step < kSteps && first.ok(); ++step) {
      if (objects.empty() || random() % 3 != 0) {
        Object object;
        first = Make(random() % std::variant_size_v<Object>, &object);
        if (first.ok()) objects.push_back(object);
      } else {
        std::swap(objects[random() % objects.size()], objects.back());
        first = Drop(objects.back());
        objects.pop_back();
      }
    }
    for (const Object& object : objects) {
      Outcome dropped = Drop(object);
      if (first.ok()) first = dropped;
    }
    if (!first.ok() || index != 0) return first;
    return driver().cuStreamCreate(&handed_over_, CU_STREAM_NON_BLOCKING);
  }

  Outcome Make(unsigned kind, Object* object) const {
    switch (kind) {
      case 0:
        return driver().cuStreamCreate(&object->emplace<CUstream>(), CU_STREAM_NON_BLOCKING);
      case 1:
        return driver().cuEventCreate(&object->emplace<CUevent>(), CU_EVENT_DEFAULT);
      case 2:
        return driver().cuModuleLoadData(&object->emplace<CUmodule>(), image_.c_str());
      default:
        return driver().cuMemAlloc(&object->emplace<CUdeviceptr>(), 64 << 10);
    }
  }

  Outcome Drop(const Object& object) const {
    if (const auto* stream = std::get_if<CUstream>(&object)) {
      return driver().cuStreamDestroy(*stream);
    }
    if (const auto* event = std::get_if<CUevent>(&object)) return driver().cuEventDestroy(*event);
    if (const auto* module = std::get_if<CUmodule>(&object)) {
      return driver().cuModuleUnload(*module);
    }
    return driver().cuMemFree(std::get<CUdeviceptr>(object));
  }

  const std::string image_;
  std::barrier<> start_{kThreads + 1};
  std::barrier<> done_{kThreads + 1};
  std::barrier<> full_{kThreads};
  std::vector<std::thread> threads_;
  std::array<Outcome, kThreads> outcomes_;  // each written by its thread, read after done_
  bool stopping_ = false;                   // written before start_, read after it
  bool filling_ = false;                    // the same
  CUstream handed_over_ = nullptr;          // by the first thread
};

}  // namespace

const ProbeInfo kThreadChurn{
    .name = "thread_churn",
    .summary = "four threads make and drop objects at random, at once",
    .object = "one stream",
    .make = MakeWorkload<ThreadChurn>,
};

}  // namespace culprit::stress
