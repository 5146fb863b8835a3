// SPDX-License-Identifier: Apache-2.0
#include "stress/driver/outcome.h"

#include <fmt/format.h>

#include "stress/driver/driver.h"

namespace culprit::stress {

Outcome Outcome::Missing(const char* entry) {
  Outcome outcome(entry, CUDA_ERROR_NOT_FOUND);
  outcome.kind_ = Kind::kMissing;
  return outcome;
}

Outcome Outcome::Unsupported(std::string reason) {
  Outcome outcome;
  outcome.kind_ = Kind::kUnsupported;
  outcome.reason_ = std::move(reason);
  return outcome;
}

Outcome Outcome::Failed(std::string reason) {
  Outcome outcome;
  outcome.kind_ = Kind::kFailed;
  outcome.reason_ = std::move(reason);
  return outcome;
}

bool Outcome::unsupported() const {
  return kind_ == Kind::kMissing || kind_ == Kind::kUnsupported ||
         (kind_ == Kind::kCall && result_ == CUDA_ERROR_NOT_SUPPORTED);
}

std::string Outcome::Describe() const {
  switch (kind_) {
    case Kind::kCall:
      return fmt::format("{} returned {}", entry_, ResultName(result_));
    case Kind::kMissing:
      return fmt::format("the driver does not export {}", entry_);
    case Kind::kUnsupported:
    case Kind::kFailed:
      return reason_;
  }
  return reason_;
}

}  // namespace culprit::stress
