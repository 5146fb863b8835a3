// SPDX-License-Identifier: Apache-2.0
#include "stress/run/child.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "stress/run/cycle.h"
#include "stress/run/open_session.h"
#include "stress/sample/sampler.h"

namespace culprit::stress {
namespace {

class Pipe {
 public:
  explicit Pipe(int fd) : fd_(fd) {}

  void Tell(std::string_view word, std::string text = {}) const {
    std::replace(text.begin(), text.end(), '\n', ' ');
    Write(fmt::format("{} {}\n", word, text));
  }
  // From the stack: readings must not move the heap they report.
  void Tell(const Sample& sample) const {
    std::array<char, 512> line;
    char* end = fmt::format_to(line.data(), "{} {}", message::kSample, sample.cycle);
    for (int64_t value : sample.value) end = fmt::format_to(end, " {}", value);
    *end++ = '\n';
    Write({line.data(), end});
  }
  void Tell(const Outcome& outcome, std::string_view where) const {
    Tell(outcome.unsupported() ? message::kSkip : message::kFail,
         fmt::format("{}{}", outcome.Describe(), where));
  }

 private:
  void Write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t wrote = write(fd_, text.data(), text.size());
      if (wrote <= 0) _exit(1);  // the parent is gone
      text.remove_prefix(static_cast<size_t>(wrote));
    }
  }

  int fd_;
};

// Warm-up, then cycles with readings. The leak starts after warm-up, so that a control differs from
// its clean twin in nothing else.
Outcome RunCycles(const Session& session, Workload& workload, const TrialPlan& plan,
                  Sampler& sampler, const Pipe& pipe) {
  Cycle cycle(workload.pairs());
  if (!plan.only.empty()) cycle.Choose(plan.only);
  for (int64_t i = 0; i < plan.warm_up; ++i) {
    workload.Prepare(i);
    if (Outcome ran = cycle.Run(); !ran.ok()) return ran;
  }
  cycle.Leak(plan.leak);
  const int64_t stride = std::max<int64_t>(1, plan.cycles / std::max(1, plan.readings));
  Sample sample;
  for (int64_t i = 0; i <= plan.cycles; ++i) {
    if (i % stride == 0 || i == plan.cycles) {
      const int64_t live = session.driver().LiveObjects().value_or(cycle.live());
      if (Outcome read = sampler.Take(i, live, &sample); !read.ok()) return read;
      pipe.Tell(sample);
    }
    if (i == plan.cycles) break;
    workload.Prepare(plan.warm_up + i);
    if (Outcome ran = cycle.Run(); !ran.ok()) {
      // A leak that fills the device is found all the more surely.
      if (plan.leak && ran.result() == CUDA_ERROR_OUT_OF_MEMORY) break;
      return ran.unsupported() ? ran
                               : Outcome::Failed(fmt::format("{} in cycle {}", ran.Describe(), i));
    }
  }
  return {};
}

}  // namespace

void RunChild(const ProbeInfo& probe, const TrialPlan& plan, int fd) {
  const Pipe pipe(fd);
  std::unique_ptr<Session> session;
  if (Outcome opened = OpenSession(probe, plan, fd, &session); !opened.ok()) {
    return pipe.Tell(opened, "");
  }
  Sampler sampler(*session, plan.nvml);
  pipe.Tell(message::kMachine,
            fmt::format("{}\t{}\t{}\t{}", session->DeviceName(), sampler.DriverVersion(),
                        session->CudaVersion(), session->driver().file()));
  if (!sampler.why_no_nvml().empty()) pipe.Tell(message::kNoNvml, sampler.why_no_nvml());

  const std::unique_ptr<Workload> workload = probe.make(*session);
  for (const Pair& pair : workload->pairs()) {
    pipe.Tell(message::kPair, fmt::format("{}\t{}", pair.Name(), fmt::join(pair.needs, " ")));
  }
  pipe.Tell(message::kControl, std::to_string(workload->control()));
  if (Outcome ready = workload->Setup(); !ready.ok()) return pipe.Tell(ready, " in setup");
  if (Outcome ran = RunCycles(*session, *workload, plan, sampler, pipe); !ran.ok()) {
    return pipe.Tell(ran, "");
  }
  if (Outcome closed = workload->Teardown(); !closed.ok()) return pipe.Tell(closed, " in teardown");
  pipe.Tell(message::kDone);
}

}  // namespace culprit::stress
