// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "stress/run/trial.h"

namespace culprit::stress {

// What the child process of a trial tells its parent: one line a message, a word and its text.
namespace message {
inline constexpr std::string_view kMachine = "machine";  // device \t driver \t CUDA \t file
inline constexpr std::string_view kNoNvml = "no-nvml";
inline constexpr std::string_view kPair = "pair";  // name \t pairs it needs
inline constexpr std::string_view kControl = "control";
inline constexpr std::string_view kSample = "sample";  // cycle and all readings
inline constexpr std::string_view kSkip = "skip";
inline constexpr std::string_view kFail = "fail";
inline constexpr std::string_view kDone = "done";
}  // namespace message

// Does the trial and writes its messages to `pipe`. The process should end with _exit afterwards.
void RunChild(const ProbeInfo& probe, const TrialPlan& plan, int pipe);

}  // namespace culprit::stress
