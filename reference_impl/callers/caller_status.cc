// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/caller_status.h"

namespace culprit::reference {
namespace {

const char* NameOf(int32_t domain) {
  switch (domain) {
    case CULPRIT_DOMAIN_DRIVER:
      return "driver";
    case CULPRIT_DOMAIN_EXTRACTOR:
      return "extractor";
    case CULPRIT_DOMAIN_HOST:
      return "host";
    default:
      return "no domain";
  }
}

}  // namespace

std::string Describe(const std::string& step, const culprit_status& status) {
  return step + ": " + status.message + " (" + NameOf(status.domain) + ", errno " +
         std::to_string(-status.error) + ")";
}

}  // namespace culprit::reference
