// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/driver.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#include "fakedriver/core/callback_thread.h"
#include "fakedriver/core/capture.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/gate.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/core/timeline.h"

namespace culprit::fakedriver {

namespace life_internal {
std::atomic<uint64_t> number{1};
}

Driver& Driver::Get() {
  static Driver* driver = new Driver;
  return *driver;
}

Driver::Driver() = default;

CUresult Driver::Initialize(unsigned flags) {
  // Only 0 is defined, and a later call is checked like the first (measured).
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (phase() == Phase::kReady) return CUDA_SUCCESS;
  std::lock_guard lock(mutex_);
  if (phase() != Phase::kNotInitialized) return CUDA_SUCCESS;
  handles_.SetReuse(CurrentSettings().handle_reuse);
  std::vector<DeviceDescription> described;
  std::string error;
  if (!DescribeDevices(CurrentSettings().devices, &described, &error)) {
    std::fprintf(stderr, "culprit: %s\n", error.c_str());
    return CUDA_ERROR_NO_DEVICE;
  }
  for (const DeviceDescription& description : described) {
    devices_.push_back(std::make_unique<Device>(static_cast<int>(devices_.size()), description));
    Context& primary = devices_.back()->primary();
    handles_.Insert(Ref<Object>(&primary));
    handles_.Kill(primary.handle());
    contexts_.emplace_back(&primary);
  }
  if (!exit_registered_) {
    exit_registered_ = true;
    // As the vendor's driver does it here, handlers that the program registers later still find a
    // driver at work.
    std::atexit([] { Driver::Get().Deinitialize(); });
    pthread_atfork(nullptr, nullptr, [] { Driver::Get().BecomeForkedChild(); });
  }
  phase_.store(Phase::kReady, std::memory_order_release);
  RefreshGate();
  return CUDA_SUCCESS;
}

void Driver::Reset() {
  if (phase() == Phase::kForkedChild || phase() == Phase::kDeinitialized) return;
  ForgetCaptures();
  // First, so that none of the program's destructors runs when what held them goes.
  for (const Ref<Object>& object : unowned_.Snapshot()) {
    if (object->kind() == ObjectKind::kUserObject) object->MarkDestroyed(true);
  }
  for (const Ref<Context>& context : contexts()) context->DropWork();
  Timeline::Get().Reset();
  HappensBefore::Get().Reset();
  std::lock_guard lock(mutex_);
  phase_.store(Phase::kNotInitialized, std::memory_order_release);
  sticky_error_.store(CUDA_SUCCESS, std::memory_order_release);
  RefreshGate();
  life_internal::number.fetch_add(1, std::memory_order_relaxed);
  for (const Ref<Context>& context : contexts_) {
    for (const Ref<Object>& object : context->objects().TakeAll()) {
      if (object->MarkDestroyed(true)) object->OnContextGone();
    }
  }
  for (const Ref<Object>& object : unowned_.TakeAll()) {
    if (object->MarkDestroyed(true)) object->OnContextGone();
  }
  handles_.Reset();
  contexts_.clear();
  devices_.clear();
  ForgetStacks();
  ForgetSerials();
}

void Driver::Deinitialize() {
  if (phase() != Phase::kReady) return;
  phase_.store(Phase::kDeinitialized, std::memory_order_release);
  RefreshGate();
}

void Driver::NoteTeardownAfterExit(Family family) {
  late_teardowns_[static_cast<size_t>(family)].fetch_add(1, std::memory_order_relaxed);
}

uint32_t Driver::TeardownsAfterExit(Family family) const {
  return late_teardowns_[static_cast<size_t>(family)].load(std::memory_order_relaxed);
}

void Driver::BecomeForkedChild() {
  if (phase() != Phase::kReady) return;
  phase_.store(Phase::kForkedChild, std::memory_order_release);
  RefreshGate();
}

std::vector<Ref<Context>> Driver::contexts() {
  std::lock_guard lock(mutex_);
  return contexts_;
}

void Driver::AddContext(const Ref<Context>& context) {
  std::lock_guard lock(mutex_);
  contexts_.push_back(context);
}

void Driver::Poison(CUresult error) {
  CUresult none = CUDA_SUCCESS;
  sticky_error_.compare_exchange_strong(none, error, std::memory_order_acq_rel);
  RefreshGate();
}

std::vector<Ref<Object>> Driver::LiveObjects() {
  std::vector<Ref<Object>> all = unowned_.Snapshot();
  for (const Ref<Context>& context : contexts()) {
    if (context->alive()) all.emplace_back(context);
    for (Ref<Object>& object : context->objects().Snapshot()) all.push_back(std::move(object));
  }
  return all;
}

namespace {

ObjectList& OwnerOf(const Object& object) {
  return object.context() != nullptr ? object.context()->objects() : Driver::Get().unowned();
}

}  // namespace

uint64_t Register(const Ref<Object>& object) {
  const uint64_t handle = Driver::Get().handles().Insert(object);
  OwnerOf(*object).Add(*object);
  return handle;
}

void RegisterWithoutCell(const Ref<Object>& object, uint64_t handle) {
  object->set_handle(handle);
  OwnerOf(*object).Add(*object);
}

bool Unregister(const Ref<Object>& object) {
  if (!Driver::Get().handles().Remove(object)) return false;
  OwnerOf(*object).Remove(*object);
  return true;
}

}  // namespace culprit::fakedriver
