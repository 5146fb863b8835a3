// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/trace_file.h"

#include <unistd.h>

#include <mutex>

#include "fakedriver/core/results.h"
#include "fakedriver/core/watching.h"
#include "fakedriver/trace/append_file.h"

namespace culprit::fakedriver::trace {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

struct TraceFile {
  std::mutex mutex;
  AppendFile file;
  pid_t owner = 0;  // a forked child shares the file, so it stays silent
  steady_clock::time_point opened;
};

// Never destroyed: the driver is called until the process ends.
TraceFile& TheTrace() {
  static TraceFile* trace = new TraceFile;
  return *trace;
}

std::string WithProcessId(std::string path) {
  const size_t at = path.find("%p");
  if (at != std::string::npos) path.replace(at, 2, std::to_string(getpid()));
  return path;
}

uint64_t Nanoseconds(steady_clock::duration time) {
  return static_cast<uint64_t>(std::chrono::duration_cast<nanoseconds>(time).count());
}

void AppendField(const char* key, uint64_t number, std::string* line) {
  *line += key;
  AppendNumber(number, line);
}

void AppendCall(const TracedCall& traced, steady_clock::time_point opened, std::string* line) {
  const CallInProgress& call = *traced.call;
  AppendField("{\"seq\":", call.sequence, line);
  AppendField(",\"thread\":", traced.thread, line);
  line->append(",\"entry\":\"").append(Info(call.api).symbol);
  AppendField("\",\"nth\":", call.nth, line);
  *line += ",\"args\":";
  AppendArguments(call.api, traced.arguments, line);
  if (traced.result == CUDA_SUCCESS) {
    *line += ",\"out\":";
    AppendOutputs(call.api, traced.arguments, line);
  }
  line->append(",\"result\":\"").append(ResultText(traced.result));
  *line += "\",\"context\":";
  AppendAddress(traced.context, line);
  AppendField(",\"depth\":", traced.depth, line);
  if (traced.fault != 0) AppendField(",\"fault\":", static_cast<uint64_t>(traced.fault), line);
  if (call.harness) *line += ",\"harness\":true";
  AppendField(",\"start_ns\":", Nanoseconds(traced.begin - opened), line);
  AppendField(",\"ns\":", Nanoseconds(traced.end - traced.begin), line);
  *line += "}\n";
}

}  // namespace

std::string OpenTrace(const std::string& path) {
  TraceFile& trace = TheTrace();
  std::lock_guard lock(trace.mutex);
  SetWatching(Watcher::kTrace, false);
  trace.file.Close();
  if (path.empty()) return {};
  const std::string error = trace.file.Open(WithProcessId(path));
  if (!error.empty()) return error;
  trace.owner = getpid();
  trace.opened = steady_clock::now();
  trace.file.Append("{\"culprit_trace\":1,\"pid\":" + std::to_string(trace.owner) + "}\n");
  if (!trace.file.lost().empty()) {
    trace.file.Close();
    return trace.file.lost();
  }
  SetWatching(Watcher::kTrace, true);
  return {};
}

void Write(const TracedCall& traced) {
  TraceFile& trace = TheTrace();
  std::string line;
  line.reserve(512);
  AppendCall(traced, trace.opened, &line);
  std::lock_guard lock(trace.mutex);
  if (trace.file.is_open() && trace.owner == getpid()) trace.file.Append(line);
}

std::string CloseTrace() {
  TraceFile& trace = TheTrace();
  std::lock_guard lock(trace.mutex);
  if (trace.owner != getpid()) return {};
  SetWatching(Watcher::kTrace, false);
  trace.file.Close();
  return trace.file.lost();
}

}  // namespace culprit::fakedriver::trace
