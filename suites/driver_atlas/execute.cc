// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/execute.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"
#include "suites/driver_atlas/operations_ipc.h"
#include "suites/driver_atlas/peer_process.h"
#include "suites/driver_atlas/worker.h"

namespace culprit::atlas {
namespace {

// What an out operand holds after the call, in words that do not depend on addresses.
std::string DescribeOut(const Slots& slots, const std::string& name, Kind kind, uint64_t value) {
  switch (kind) {
    case Kind::kHidden:
      return "written";
    case Kind::kNumber:
    case Kind::kDevice:
      return std::to_string(static_cast<int64_t>(value));
    default:
      return slots.Describe(name, kind, value);
  }
}

// The module that an operation looks into; 0: none.
uint64_t ModuleOf(const Operation& operation, Call& call) {
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    const OperandSpec& spec = operation.operands[i];
    if (spec.kind == Kind::kModule && !spec.out) return call.Value(i);
  }
  return 0;
}

std::string Answer(const Operation& operation, const Step& step, Slots* slots) {
  Call call(*slots, step.operands);
  // Operands that name no slot are found before the call: a sequence may depend on a step that
  // failed.
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    if (operation.operands[i].out || operation.operands[i].kind == Kind::kText) continue;
    call.Value(i);
  }
  if (!call.missing().empty()) return "not run: " + call.missing() + " was never made";
  const CUresult result = operation.run(call);
  if (result == kEntryMissing) return "not exported";
  std::string values;
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    const OperandSpec& spec = operation.operands[i];
    if (!spec.out || !call.Wrote(i)) continue;
    const std::string& name = step.operands[i];
    // What a failed creation leaves in its out operand is garbage, unless the driver cleared it.
    if (spec.fresh && result != CUDA_SUCCESS && call.Written(i) != 0) continue;
    values += " " + name + ":" +
              (spec.fresh && call.Written(i) != 0
                   ? "new"
                   : DescribeOut(*slots, name, spec.kind, call.Written(i)));
    if (result == CUDA_SUCCESS) slots->Set(name, spec.kind, call.Written(i), ModuleOf(operation, call));
  }
  if (!call.extra.empty()) values += " " + call.extra;
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    if (operation.operands[i].ends && result == CUDA_SUCCESS)
      slots->MarkDead(operation.operands[i].kind, call.Value(i));
  }
  return ResultName(result) + "|" + (values.empty() ? "" : values.substr(1));
}

using Peers = std::map<std::string, std::unique_ptr<PeerProcess>>;

// One process for each name that the steps mention.
Peers StartPeers(const Sequence& sequence) {
  Peers peers;
  for (const Step& step : sequence.steps) {
    if (!NamesProcess(step.thread) || peers.count(step.thread) != 0) continue;
    if (peers.empty()) PrepareIpcTable();
    auto answer = [&sequence, slots = std::make_shared<Slots>()](uint32_t i) {
      const Step& asked = sequence.steps[i];
      return Answer(*FindOperation(asked.operation), asked, slots.get());
    };
    peers[step.thread] = std::make_unique<PeerProcess>(answer);
  }
  return peers;
}

}  // namespace

void Execute(const Sequence& sequence, const std::function<void(const std::string&)>& emit) {
  Slots slots;
  Peers peers = StartPeers(sequence);
  std::map<std::string, std::unique_ptr<Worker>> workers;
  int number = 0;
  for (const Step& step : sequence.steps) {
    const Operation* operation = FindOperation(step.operation);
    std::string answer;
    auto work = [&] { answer = Answer(*operation, step, &slots); };
    if (step.thread.empty()) {
      work();
    } else if (NamesProcess(step.thread)) {
      answer = peers[step.thread]->Ask(static_cast<uint32_t>(number));
    } else {
      auto& worker = workers[step.thread];
      if (!worker) worker = std::make_unique<Worker>();
      worker->Run(work);
    }
    const std::string index = (number < 10 ? "0" : "") + std::to_string(number);
    ++number;
    emit(sequence.name + "|" + index + "|" + step.Text() + "|" + answer);
  }
}

std::vector<std::string> ExecuteIsolated(const Sequence& sequence, int timeout_seconds) {
  int fds[2];
  if (pipe(fds) != 0) return {sequence.name + "|--|process|no pipe"};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(fds[0]);
    alarm(static_cast<unsigned>(timeout_seconds));
    Execute(sequence, [&](const std::string& line) {
      const std::string text = line + "\n";
      if (write(fds[1], text.data(), text.size()) < 0) _exit(3);
    });
    _exit(0);
  }
  close(fds[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  close(fds[0]);
  int status = 0;
  waitpid(child, &status, 0);
  std::vector<std::string> lines;
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    lines.push_back(text.substr(start, end - start));
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    lines.push_back(
        sequence.name + "|--|process|" +
        (signal == SIGALRM ? std::string("TIMEOUT") : "SIGNAL " + std::to_string(signal)));
  } else if (WEXITSTATUS(status) != 0) {
    lines.push_back(sequence.name + "|--|process|EXIT " + std::to_string(WEXITSTATUS(status)));
  }
  return lines;
}

}  // namespace culprit::atlas
