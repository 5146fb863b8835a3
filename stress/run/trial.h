// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stress/run/probe.h"
#include "stress/sample/resource.h"

namespace culprit::stress {

// How a run of cycles is to be made.
struct TrialPlan {
  std::string driver = "libcuda.so.1";
  std::string nvml = "libnvidia-ml.so.1";
  std::string port = {};  // library for the port probes
  int device = 0;
  int64_t cycles = 2000;
  int64_t warm_up = 50;             // cycles before the first reading
  int readings = 150;               // at most about so many, evenly spread
  std::optional<size_t> leak = {};  // pair whose release is left out after warm-up
  std::vector<size_t> only = {};    // pairs that take part, with what they need; empty: all
  int silence_seconds = 120;        // without a reading, the run counts as hung
};

enum class Ending {
  kDone,
  kSkipped,  // the machine or the driver does not offer what the probe needs
  kFailed,   // a call failed
  kCrashed,
  kHung,
};

struct Machine {
  std::string device;          // "NVIDIA H200"
  std::string driver_version;  // "580.159.04"; empty when unknown
  std::string cuda_version;    // "13.0"
  std::string driver_file;
};

struct Trial {
  Ending ending = Ending::kFailed;
  std::string reason;  // of every ending but kDone
  std::vector<Sample> samples;
  std::vector<std::string> pair_names;
  std::vector<std::vector<size_t>> pair_needs;
  size_t control = 0;  // the pair that this probe's control leaks
  Machine machine;
  std::string why_no_nvml;
  double seconds = 0;
};

// Runs `body` in a child process and listens to the messages it writes to the descriptor it is
// given (child.h). `progress` is called with the cycle after each reading.
Trial Supervise(const std::function<void(int pipe)>& body, int silence_seconds,
                const std::function<void(int64_t cycle)>& progress = {});

// Runs the probe in a child process, because a driver that crashes or hangs is a result and not the
// end of the run, and because each series should start from a fresh process. The caller must be
// single-threaded and must not have loaded the driver: a forked driver does not work.
Trial RunTrial(const ProbeInfo& probe, const TrialPlan& plan,
               const std::function<void(int64_t cycle)>& progress = {});

}  // namespace culprit::stress
