// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/port/port_status.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace culprit::reference {
namespace {

int DomainOf(Domain domain) {
  switch (domain) {
    case Domain::kNone:
      return CULPRIT_DOMAIN_NONE;
    case Domain::kDriver:
      return CULPRIT_DOMAIN_DRIVER;
    case Domain::kExtractor:
      return CULPRIT_DOMAIN_EXTRACTOR;
    case Domain::kHost:
      return CULPRIT_DOMAIN_HOST;
  }
  return CULPRIT_DOMAIN_HOST;
}

template <size_t Size>
void CopyText(const std::string& text, char (&target)[Size]) {
  const size_t length = std::min(text.size(), Size - 1);
  std::memcpy(target, text.data(), length);
  target[length] = '\0';
}

}  // namespace

culprit_status StatusOf(const Status& status) {
  culprit_status filled{};
  filled.size = sizeof filled;
  if (status.ok()) return filled;
  const Error& error = status.error();
  filled.error = error.code;
  filled.domain = DomainOf(error.domain);
  filled.cu_result = error.cu_result;
  CopyText(error.entry, filled.entry);
  CopyText(error.message, filled.message);
  return filled;
}

int Report(const culprit_status& status, culprit_status* out) {
  if (out == nullptr) return status.error;
  const uint32_t size = std::min<uint32_t>(out->size, sizeof status);
  std::memcpy(out, &status, size);
  out->size = size;
  return status.error;
}

}  // namespace culprit::reference
