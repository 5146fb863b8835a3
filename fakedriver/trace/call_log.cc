// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/call_log.h"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "fakedriver/core/watching.h"

namespace culprit::fakedriver::trace {
namespace {

struct CallLog {
  std::mutex mutex;
  std::vector<LoggedCall> calls;
  std::map<uint64_t, std::vector<const void*>> stacks;  // by sequence number
};

// Enough to get out of a subject's wrappers around the driver and of the harness's step.
constexpr size_t kDriverFrames = 8;
constexpr size_t kFramesKept = 12;

std::atomic<bool> keep_stacks{false};

// Never destroyed: the driver is called until the process ends.
CallLog& TheLog() {
  static CallLog* log = new CallLog;
  return *log;
}

}  // namespace

void KeepLog(bool on) { SetWatching(Watcher::kCallLog, on); }

void Log(const LoggedCall& call) {
  std::lock_guard lock(TheLog().mutex);
  TheLog().calls.push_back(call);
}

std::vector<LoggedCall> LoggedCalls() {
  std::lock_guard lock(TheLog().mutex);
  return TheLog().calls;
}

void ClearLog() {
  std::lock_guard lock(TheLog().mutex);
  TheLog().calls.clear();
  TheLog().stacks.clear();
}

void KeepStacks(bool on) { keep_stacks.store(on, std::memory_order_relaxed); }

void LogStack(const CallInProgress& call, bool faulted) {
  if (!keep_stacks.load(std::memory_order_relaxed)) return;
  if (!faulted && Info(call.api).effect != Effect::kDestroys) return;
  std::array<void*, kDriverFrames + kFramesKept> frames;
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  const auto end = frames.begin() + depth;
  // The driver's own frames end where the entry returns to.
  const auto begin = std::find(frames.begin(), end, call.return_address);
  std::lock_guard lock(TheLog().mutex);
  std::vector<const void*>& stack = TheLog().stacks[call.sequence];
  stack.assign(begin, end);
  if (stack.empty()) stack.push_back(call.return_address);
}

std::vector<const void*> StackOf(uint64_t sequence) {
  std::lock_guard lock(TheLog().mutex);
  const auto found = TheLog().stacks.find(sequence);
  return found == TheLog().stacks.end() ? std::vector<const void*>{} : found->second;
}

}  // namespace culprit::fakedriver::trace
