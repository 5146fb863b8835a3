// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/engine.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "fakedriver/core/fork_safe.h"
#include "fakedriver/core/injection.h"
#include "fakedriver/core/watching.h"
#include "fakedriver/fault/call_stack.h"

namespace culprit::fakedriver::fault {
namespace {

struct Planned {
  int id = 0;
  Fault fault;
  bool active = true;  // lost the draw of Trigger::active: exists, never fires
  bool lifted = false;
  uint64_t matched = 0;
  uint64_t fired = 0;
  uint64_t pending = 0;    // errors on their way to a later call
  uint64_t surfacing = 0;  // matching calls of the surface since the oldest of them
};

struct Engine {
  std::mutex mutex;
  std::condition_variable lifted;
  std::vector<Planned> faults;  // id - 1 is the index
  // Whether any fault that is in force names the entry, as its site or its surface.
  std::array<std::atomic<bool>, kApiCount> concerned{};
};

std::mutex& EngineMutex();

// Never destroyed: the driver is called until the process ends.
Engine& TheEngine() {
  static Engine* engine = [] {
    TakeAroundForks<EngineMutex>();
    return new Engine;
  }();
  return *engine;
}

std::mutex& EngineMutex() { return TheEngine().mutex; }

// A number in [0, 1) that depends on its arguments alone, so that a run can be repeated call by
// call.
double Draw(uint64_t seed, uint64_t stream, uint64_t index) {
  uint64_t x = seed + 0x9e3779b97f4a7c15u * (stream + 1) + 0xd1b54a32d192ed03u * (index + 1);
  for (uint64_t factor : {0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu}) {
    x = (x ^ (x >> 30)) * factor;
    x ^= x >> 27;
  }
  return static_cast<double>(x >> 11) * 0x1.0p-53;
}

bool Matches(const Site& site, ApiId id, uint32_t thread) {
  return site.entries.test(static_cast<size_t>(id)) &&
         (site.thread == 0 || site.thread == thread) &&
         (site.below.empty() || CalledBelow(site.below));
}

bool Triggers(const Planned& planned) {
  const Trigger& when = planned.fault.trigger;
  const uint64_t n = planned.matched;
  if (n < when.nth || n <= when.after) return false;
  if (when.every != 0 && (n - when.after) % when.every != 0) return false;
  return when.probability >= 1.0 ||
         Draw(when.seed, static_cast<uint64_t>(planned.id), n) < when.probability;
}

void Apply(const Planned& planned, CUresult result, Timing timing, Decision& decision) {
  if (decision.before || decision.after) return;
  decision.fault = planned.id;
  (timing == Timing::kAfter ? decision.after : decision.before) = result;
  if (planned.fault.consequence.lose_contexts) decision.lose_contexts = result;
}

void Fire(Planned& planned, Decision& decision) {
  const Consequence& what = planned.fault.consequence;
  if (decision.fault == 0) decision.fault = planned.id;
  if (what.timing == Timing::kLater) {
    ++planned.pending;
    return;
  }
  ++planned.fired;
  decision.delay += what.delay;
  decision.kill |= what.kill;
  if (what.block) decision.block = planned.id;
  if (what.result) Apply(planned, *what.result, what.timing, decision);
}

void SurfacePending(Planned& planned, ApiId id, uint32_t thread, bool may_fire,
                    Decision& decision) {
  const Surface& surface = planned.fault.consequence.surface;
  if (planned.pending == 0 || !Matches(surface.site, id, thread)) return;
  if (++planned.surfacing < surface.nth || !may_fire || decision.before) return;
  planned.surfacing = 0;
  --planned.pending;
  ++planned.fired;
  Apply(planned, *planned.fault.consequence.result, Timing::kBefore, decision);
}

// With the lock held.
void UpdateConcerned(Engine& engine) {
  Entries concerned;
  for (const Planned& planned : engine.faults) {
    if (planned.lifted || !planned.active) continue;
    concerned |= planned.fault.site.entries | planned.fault.consequence.surface.site.entries;
  }
  for (size_t i = 0; i < kApiCount; ++i) {
    engine.concerned[i].store(concerned.test(i), std::memory_order_relaxed);
  }
  SetWatching(Watcher::kFaults, concerned.any());
}

Planned* Find(Engine& engine, int id) {
  const bool known = id >= 1 && static_cast<size_t>(id) <= engine.faults.size();
  return known ? &engine.faults[static_cast<size_t>(id) - 1] : nullptr;
}

uint64_t Fired(const Planned& planned) {
  return planned.fault.consequence.memory_budget ? BudgetRefusals() : planned.fired;
}

}  // namespace

Decision Decide(const CallInProgress& call, uint32_t thread, bool may_fire) {
  Decision decision;
  Engine& engine = TheEngine();
  if (!engine.concerned[static_cast<size_t>(call.api)].load(std::memory_order_relaxed)) {
    return decision;
  }
  std::lock_guard lock(engine.mutex);
  for (Planned& planned : engine.faults) {
    if (planned.lifted || !planned.active) continue;
    SurfacePending(planned, call.api, thread, may_fire, decision);
    if (!Matches(planned.fault.site, call.api, thread)) continue;
    ++planned.matched;
    const bool spent = planned.fired + planned.pending >= planned.fault.times;
    if (may_fire && !spent && Triggers(planned)) Fire(planned, decision);
  }
  return decision;
}

void TakeBack(int fault) {
  Engine& engine = TheEngine();
  std::lock_guard lock(engine.mutex);
  Planned* planned = Find(engine, fault);
  if (planned != nullptr && planned->fired > 0) --planned->fired;
}

void WaitUntilLifted(int fault) {
  Engine& engine = TheEngine();
  std::unique_lock lock(engine.mutex);
  engine.lifted.wait(lock, [&] {
    const Planned* planned = Find(engine, fault);
    return planned == nullptr || planned->lifted;
  });
}

int Plan(Fault fault) {
  Engine& engine = TheEngine();
  std::lock_guard lock(engine.mutex);
  Planned planned{.id = static_cast<int>(engine.faults.size()) + 1, .fault = std::move(fault)};
  const Trigger& when = planned.fault.trigger;
  planned.active = when.active >= 1.0 ||
                   Draw(when.seed, static_cast<uint64_t>(planned.id), ~uint64_t{0}) < when.active;
  if (planned.fault.consequence.memory_budget && planned.active) {
    SetDeviceMemoryBudget(*planned.fault.consequence.memory_budget);
  }
  const int id = planned.id;
  engine.faults.push_back(std::move(planned));
  UpdateConcerned(engine);
  return id;
}

int64_t TimesFired(int id) {
  Engine& engine = TheEngine();
  std::lock_guard lock(engine.mutex);
  const Planned* planned = Find(engine, id);
  return planned == nullptr ? -1 : static_cast<int64_t>(Fired(*planned));
}

bool Lift(int id) {
  Engine& engine = TheEngine();
  std::lock_guard lock(engine.mutex);
  Planned* planned = Find(engine, id);
  if (planned == nullptr) return false;
  planned->lifted = true;
  if (planned->fault.consequence.memory_budget) SetDeviceMemoryBudget(kNoBudget);
  UpdateConcerned(engine);
  engine.lifted.notify_all();
  return true;
}

void Clear() {
  Engine& engine = TheEngine();
  std::lock_guard lock(engine.mutex);
  engine.faults.clear();
  SetDeviceMemoryBudget(kNoBudget);
  injection_internal::budget_refusals.store(0, std::memory_order_relaxed);
  UpdateConcerned(engine);
  engine.lifted.notify_all();
}

std::vector<Unfired> UnfiredFaults() {
  Engine& engine = TheEngine();
  std::lock_guard lock(engine.mutex);
  std::vector<Unfired> unfired;
  for (const Planned& planned : engine.faults) {
    if (planned.fault.optional || !planned.active || Fired(planned) != 0) continue;
    unfired.push_back({planned.id, planned.fault.name, planned.matched});
  }
  return unfired;
}

}  // namespace culprit::fakedriver::fault
