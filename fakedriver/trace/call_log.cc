// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/call_log.h"

#include <mutex>

#include "fakedriver/core/watching.h"

namespace culprit::fakedriver::trace {
namespace {

struct CallLog {
  std::mutex mutex;
  std::vector<LoggedCall> calls;
};

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
}

}  // namespace culprit::fakedriver::trace
