// SPDX-License-Identifier: Apache-2.0
// Four threads that make and drop streams, events, memory and modules in a seeded order of their
// own, all at once, in one context. The threads end with the cycle, so what the driver keeps per
// thread is tried too. One stream outlives its thread and is destroyed by the main one; the control
// loses it.
#include <array>
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

 private:
  using Object = std::variant<CUstream, CUevent, CUmodule, CUdeviceptr>;

  Outcome Run() {
    std::array<Outcome, kThreads> outcomes;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i, &outcomes] { outcomes[i] = Churn(i); });
    }
    for (std::thread& thread : threads) thread.join();
    for (Outcome& outcome : outcomes) {
      if (!outcome.ok()) return outcome;
    }
    return {};
  }

  Outcome Churn(size_t index) {
    if (Outcome set = driver().cuCtxSetCurrent(session().context()); !set.ok()) return set;
    std::mt19937 random(static_cast<unsigned>(cycle() * kThreads + index));
    std::vector<Object> objects;
    Outcome first;
    for (int step = 0; step < kSteps && first.ok(); ++step) {
      if (objects.empty() || random() % 3 != 0) {
        Object object;
        first = Make(random() % 4, &object);
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
  CUstream handed_over_ = nullptr;
};

}  // namespace

const ProbeInfo kThreadChurn{
    .name = "thread_churn",
    .summary = "four short-lived threads make and drop objects at random",
    .object = "one stream",
    .make = MakeWorkload<ThreadChurn>,
};

}  // namespace culprit::stress
