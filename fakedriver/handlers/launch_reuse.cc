// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/launch_reuse.h"

#include <cstring>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fakedriver/core/device.h"
#include "fakedriver/core/fork_safe.h"
#include "fakedriver/core/launch_counts.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/settings.h"

namespace culprit::fakedriver::handlers {

// One allocation that a launch looked at, before and after.
struct LookedAt {
  uint64_t base = 0;
  uint64_t size = 0;
  MemoryKind kind = MemoryKind::kDevice;
  int device = 0;
  bool read_only = false;
  std::vector<std::byte> before;
  std::vector<std::byte> after;  // empty: unchanged
  TouchedBytes touched;          // where that was followed
};

namespace {

constexpr uint64_t kMostBytesOfLaunch = uint64_t{4} << 20;
constexpr uint64_t kMostBytesKept = uint64_t{128} << 20;

// Memory that belongs to nobody else and that the program has not given up.
bool Plain(const Allocation& allocation) {
  return allocation.written() == nullptr && !allocation.lends_bytes() &&
         !allocation.given_up.load(std::memory_order_acquire);
}

bool SamePlace(const LookedAt& looked, const Allocation& allocation) {
  return allocation.base() == looked.base && allocation.size() == looked.size &&
         allocation.memory() == looked.kind && allocation.device() == looked.device &&
         allocation.read_only == looked.read_only && Plain(allocation);
}

bool SameChecks(const CheckSettings& a, const CheckSettings& b) {
  return a.out_of_bounds == b.out_of_bounds && a.use_after_free == b.use_after_free &&
         a.uninitialized == b.uninitialized && a.races == b.races && a.block_races == b.block_races;
}

bool SameConfig(const exec::LaunchConfig& a, const exec::LaunchConfig& b) {
  return a.grid == b.grid && a.block == b.block && a.cluster == b.cluster &&
         a.dynamic_shared_bytes == b.dynamic_shared_bytes && a.cooperative == b.cooperative;
}

}  // namespace

struct LaunchReuse::Inputs {
  std::shared_ptr<const exec::Program> program;
  uint32_t kernel = 0;
  exec::LaunchConfig config;
  std::vector<std::byte> parameters;
  std::vector<uint64_t> variables;
  int device = 0;
  CheckSettings checks;
  uint64_t instruction_limit = 0;
  bool followed = false;  // what it touches

  bool operator==(const Inputs& other) const {
    return program == other.program && kernel == other.kernel && SameConfig(config, other.config) &&
           parameters == other.parameters && variables == other.variables &&
           device == other.device && SameChecks(checks, other.checks) &&
           instruction_limit == other.instruction_limit && followed == other.followed;
  }
  size_t Hash() const {
    const std::string_view bytes(reinterpret_cast<const char*>(parameters.data()),
                                 parameters.size());
    return std::hash<std::string_view>()(bytes) ^ std::hash<const void*>()(program.get()) ^
           (size_t{kernel} << 48) ^ config.grid.Count();
  }
};

struct LaunchReuse::Seen {
  Inputs inputs;
  std::vector<LookedAt> looked;
  uint64_t bytes = 0;

  bool SameMemory(std::vector<Ref<Allocation>>* found) const;
};

struct LaunchReuse::Store {
  std::mutex mutex;
  std::unordered_multimap<size_t, std::shared_ptr<const Seen>> launches;
  uint64_t bytes = 0;

  static Store& Get();
  static std::mutex& Mutex() { return Get().mutex; }
  std::vector<std::shared_ptr<const Seen>> With(const Inputs& inputs);
  void Add(std::shared_ptr<const Seen> seen);
};

bool LaunchReuse::Seen::SameMemory(std::vector<Ref<Allocation>>* found) const {
  found->clear();
  AddressSpace& addresses = Memory::Get().addresses();
  for (const LookedAt& one : looked) {
    Ref<Allocation> allocation = addresses.Find(one.base);
    if (allocation.get() == nullptr || !SamePlace(one, *allocation)) return false;
    if (std::memcmp(allocation->backing(), one.before.data(), one.size) != 0) return false;
    found->push_back(std::move(allocation));
  }
  return true;
}

// Never destroyed: the driver is called until the process ends.
LaunchReuse::Store& LaunchReuse::Store::Get() {
  static Store* store = [] {
    TakeAroundForks<Mutex>();
    return new Store;
  }();
  return *store;
}

std::vector<std::shared_ptr<const LaunchReuse::Seen>> LaunchReuse::Store::With(
    const Inputs& inputs) {
  std::vector<std::shared_ptr<const Seen>> with;
  std::lock_guard lock(mutex);
  const auto [begin, end] = launches.equal_range(inputs.Hash());
  for (auto at = begin; at != end; ++at) {
    if (at->second->inputs == inputs) with.push_back(at->second);
  }
  return with;
}

void LaunchReuse::Store::Add(std::shared_ptr<const Seen> seen) {
  std::lock_guard lock(mutex);
  if (bytes + seen->bytes > kMostBytesKept) {
    launches.clear();
    bytes = 0;
  }
  bytes += seen->bytes;
  launches.emplace(seen->inputs.Hash(), std::move(seen));
}

LaunchReuse::LaunchReuse(const KernelLaunch& launch, const Context& context) {
  const Settings& settings = CurrentSettings();
  possible_ = CountedLaunches().reuse.load(std::memory_order_relaxed) &&
              !settings.checks.uninitialized &&
              !launch.module->loaded().takes_time[launch.kernel] && launch.textures.empty() &&
              !launch.config.cooperative;
  if (!possible_) return;
  seen_ = std::make_unique<Seen>();
  seen_->inputs = {.program = launch.module->loaded().program,
                   .kernel = launch.kernel,
                   .config = launch.config,
                   .parameters = launch.parameters,
                   .variables = launch.module->state().global_addresses,
                   .device = context.device().ordinal(),
                   .checks = settings.checks,
                   .instruction_limit = settings.kernel_instructions,
                   .followed = FollowsAccesses()};
}

LaunchReuse::~LaunchReuse() = default;

bool LaunchReuse::Reproduce(std::vector<LaunchAccess>* accesses) {
  CountedLaunches().all.fetch_add(1, std::memory_order_relaxed);
  if (!possible_) return false;
  std::vector<Ref<Allocation>> allocations;
  for (const std::shared_ptr<const Seen>& known : Store::Get().With(seen_->inputs)) {
    if (!known->SameMemory(&allocations)) continue;
    for (size_t i = 0; i < allocations.size(); ++i) {
      const LookedAt& looked = known->looked[i];
      if (!looked.touched.empty()) accesses->push_back({allocations[i], looked.touched});
      if (looked.after.empty()) continue;
      std::memcpy(allocations[i]->backing(), looked.after.data(), looked.size);
    }
    CountedLaunches().reused.fetch_add(1, std::memory_order_release);
    return true;
  }
  return false;
}

void LaunchReuse::FirstLook(const Ref<Allocation>& allocation) {
  if (!possible_) return;
  if (!Plain(*allocation) || seen_->bytes + 2 * allocation->size() > kMostBytesOfLaunch) {
    possible_ = false;
    return;
  }
  LookedAt looked{.base = allocation->base(),
                  .size = allocation->size(),
                  .kind = allocation->memory(),
                  .device = allocation->device(),
                  .read_only = allocation->read_only,
                  .before = {},
                  .after = {},
                  .touched = {}};
  looked.before.assign(allocation->backing(), allocation->backing() + allocation->size());
  seen_->bytes += 2 * allocation->size();
  seen_->looked.push_back(std::move(looked));
}

void LaunchReuse::Keep(const exec::LaunchResult& result,
                       const std::vector<LaunchAccess>& accesses) {
  if (!possible_ || !result.ok() || !result.findings.empty()) return;
  for (LookedAt& looked : seen_->looked) {
    const Ref<Allocation> allocation = Memory::Get().addresses().Find(looked.base);
    if (allocation.get() == nullptr || !SamePlace(looked, *allocation)) return;
    for (const LaunchAccess& access : accesses) {
      if (access.allocation.get() == allocation.get()) looked.touched = access.bytes;
    }
    if (std::memcmp(allocation->backing(), looked.before.data(), looked.size) == 0) continue;
    looked.after.assign(allocation->backing(), allocation->backing() + looked.size);
  }
  Store::Get().Add(std::move(seen_));
}

}  // namespace culprit::fakedriver::handlers
