// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_FAULT_H_
#define SUITES_RUNNER_FAULT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "input/json_object.h"

namespace culprit::suites {

enum class FaultWhen : uint8_t { kBefore, kAfter };
enum class FaultSpan : uint8_t { kOnce, kSticky };

// One planned driver error, in the terms of the control ABI: the nth call of an entry on any
// thread.
struct Fault {
  std::string entry;  // as exported, or the lookup name for any of its variants
  uint64_t nth = 1;
  FaultWhen when = FaultWhen::kBefore;
  FaultSpan span = FaultSpan::kOnce;
  int32_t result = 0;
  bool optional = false;

  bool operator==(const Fault&) const = default;

  // "cuMemAlloc_v2 #3: CUDA_ERROR_OUT_OF_MEMORY before, once"
  std::string Name() const;
};

// "cuMemAlloc" for any of cuMemAlloc, cuMemAlloc_v2, cuMemAlloc_v2_ptds.
std::string LookupName(const std::string& entry);
bool SameEntry(const std::string& a, const std::string& b);

const char* NameOf(FaultWhen when);
const char* NameOf(FaultSpan span);
bool Parse(const std::string& text, FaultWhen* when);
bool Parse(const std::string& text, FaultSpan* span);

// "cuMemAlloc_v2 3 2 before once", with " optional" behind it: the form in which millions are kept.
std::string CompactText(const Fault& fault);
// Throws InputError.
Fault FaultFromCompactText(const std::string& text);

nlohmann::json ToJson(const Fault& fault);
// Both throw InputError.
Fault FaultFrom(const JsonObject& object);
Fault FaultFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_FAULT_H_
