// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/calling_thread.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/fork_safe.h"

namespace culprit::fakedriver {
namespace calling_thread_internal {

std::atomic<uint64_t> last_sequence{0};
std::atomic<uint64_t> epoch{1};
thread_local constinit CallingThread* current __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

// Records of the threads that live, and what those that ended have counted.
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<CallingThread>> live;
  std::array<uint64_t, kApiCount> retired{};
  uint32_t last_ordinal = 0;
};

std::mutex& RegistryMutex();

// Never destroyed: threads may outlive the static objects of the library.
Registry& TheRegistry() {
  static Registry* registry = [] {
    TakeAroundForks<RegistryMutex>();
    return new Registry;
  }();
  return *registry;
}

std::mutex& RegistryMutex() { return TheRegistry().mutex; }

void Retire(CallingThread* thread) {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  if (thread->epoch == epoch.load(std::memory_order_relaxed)) {
    for (size_t i = 0; i < kApiCount; ++i) {
      registry.retired[i] += thread->counts[i].load(std::memory_order_relaxed);
    }
  }
  std::erase_if(registry.live, [&](const auto& record) { return record.get() == thread; });
}

struct AtThreadExit {
  ~AtThreadExit() {
    // The main thread goes on calling the driver from exit handlers and static destructors.
    if (getpid() == gettid()) return;
    if (current != nullptr) Retire(current);
    current = nullptr;
  }
};
thread_local AtThreadExit at_thread_exit;

}  // namespace

CallingThread& Register() noexcept {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  if (current == nullptr) {
    registry.live.push_back(std::make_unique<CallingThread>());
    current = registry.live.back().get();
    static_cast<void>(&at_thread_exit);  // the address is what makes its destructor run
  }
  current->epoch = epoch.load(std::memory_order_relaxed);
  current->ordinal = ++registry.last_ordinal;
  for (auto& count : current->counts) count.store(0, std::memory_order_relaxed);
  return *current;
}

}  // namespace calling_thread_internal

using namespace calling_thread_internal;

void HarnessBegin() noexcept { ++ThisThread().harness_depth; }

void HarnessEnd() noexcept { --ThisThread().harness_depth; }

uint64_t CallsSinceReset() noexcept { return last_sequence.load(std::memory_order_relaxed); }

uint64_t CallsOf(ApiId id) noexcept {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  const auto index = static_cast<size_t>(id);
  uint64_t sum = registry.retired[index];
  for (const auto& thread : registry.live) {
    if (thread->epoch == epoch.load(std::memory_order_relaxed)) {
      sum += thread->counts[index].load(std::memory_order_acquire);
    }
  }
  return sum;
}

uint32_t ThreadsSeen() noexcept {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  return registry.last_ordinal;
}

void ForgetCalls() noexcept {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  registry.retired.fill(0);
  registry.last_ordinal = 0;
  last_sequence.store(0, std::memory_order_relaxed);
  epoch.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace culprit::fakedriver
