// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "stress/run/session.h"
#include "stress/sample/nvml.h"
#include "stress/sample/resource.h"

namespace culprit::stress {

// Takes one reading of every resource; used by one thread, between cycles. What cannot be read on
// this machine stays kUnavailable in every sample, and `why_no_nvml` says why.
class Sampler {
 public:
  Sampler(const Session& session, const std::string& nvml_library);

  Outcome Take(int64_t cycle, int64_t live_handles, Sample* sample);

  const std::string& why_no_nvml() const { return why_no_nvml_; }
  // Of the kernel driver, as NVML or the library's file name says: "580.159.04"; may be empty.
  std::string DriverVersion() const;

 private:
  const Session& session_;
  std::unique_ptr<Nvml> nvml_;
  std::string why_no_nvml_;
};

}  // namespace culprit::stress
