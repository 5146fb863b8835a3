// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/trace_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>

#include "fakedriver/core/results.h"
#include "fakedriver/core/watching.h"

namespace culprit::fakedriver::trace {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

struct TraceFile {
  std::mutex mutex;
  std::FILE* file = nullptr;
  pid_t owner = 0;  // a forked child shares the file's offset, so it stays silent
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

int64_t Nanoseconds(steady_clock::duration time) {
  return std::chrono::duration_cast<nanoseconds>(time).count();
}

}  // namespace

std::string OpenTrace(const std::string& path) {
  TraceFile& trace = TheTrace();
  std::lock_guard lock(trace.mutex);
  if (trace.file != nullptr) std::fclose(trace.file);
  trace.file = nullptr;
  SetWatching(Watcher::kTrace, false);
  if (path.empty()) return {};
  const std::string name = WithProcessId(path);
  trace.file = std::fopen(name.c_str(), "we");
  if (trace.file == nullptr) return name + ": " + std::strerror(errno);
  trace.owner = getpid();
  trace.opened = steady_clock::now();
  fmt::print(trace.file, "{{\"culprit_trace\":1,\"pid\":{}}}\n", trace.owner);
  SetWatching(Watcher::kTrace, true);
  return {};
}

void Write(const TracedCall& traced) {
  const CallInProgress& call = *traced.call;
  std::string line =
      fmt::format(R"({{"seq":{},"thread":{},"entry":"{}","nth":{},"args":{})", call.sequence,
                  traced.thread, Info(call.api).symbol, call.nth, traced.arguments);
  if (traced.result == CUDA_SUCCESS) {
    line += ",\"out\":" + OutputsAsJson(call.api, traced.values);
  }
  line += fmt::format(R"(,"result":"{}","context":)", ResultText(traced.result));
  line += traced.context == 0 ? "null" : fmt::format("\"0x{:x}\"", traced.context);
  line += fmt::format(R"(,"depth":{})", traced.depth);
  if (traced.fault != 0) line += fmt::format(R"(,"fault":{})", traced.fault);
  if (call.harness) line += R"(,"harness":true)";

  TraceFile& trace = TheTrace();
  std::lock_guard lock(trace.mutex);
  if (trace.file == nullptr || trace.owner != getpid()) return;
  line += fmt::format(",\"start_ns\":{},\"ns\":{}}}\n", Nanoseconds(traced.begin - trace.opened),
                      Nanoseconds(traced.end - traced.begin));
  std::fwrite(line.data(), 1, line.size(), trace.file);
}

void FlushTrace() {
  TraceFile& trace = TheTrace();
  std::lock_guard lock(trace.mutex);
  if (trace.file != nullptr && trace.owner == getpid()) std::fflush(trace.file);
}

}  // namespace culprit::fakedriver::trace
