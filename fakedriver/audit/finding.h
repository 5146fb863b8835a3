// SPDX-License-Identifier: Apache-2.0
//
// Findings: what the audit has to say about the subject. They never change what a call returns.
//
//   audit::Raise(Rule::kHandleDestroyed,
//                {.argument = "hEvent", .object = "event #7, created by call 41 (cuEventCreate)",
//                .handle = value});
//
// Raise() completes a finding with the call in progress on this thread. It may be called from any
// thread, takes one lock of its own and calls nothing of the rest of the fake, so that it is safe
// with any other lock held.
#ifndef FAKEDRIVER_AUDIT_FINDING_H_
#define FAKEDRIVER_AUDIT_FINDING_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::audit {

enum class Severity : uint8_t { kNote, kWarning, kError };

enum class Rule : uint8_t {
#define AUDIT_RULE(constant, ...) constant,
#include "fakedriver/audit/rules.def"
};

struct RuleInfo {
  Rule rule;
  const char* id;  // "handle.destroyed"
  Severity certifying;
  Severity running;
  const char* title;
};

const RuleInfo& InfoOf(Rule rule);
const char* SeverityName(Severity severity);  // "note", "warning", "error"

// What whoever raises a finding knows. Everything may be left out.
struct Details {
  std::string message = {};   // one sentence; the rule's title if empty
  std::string argument = {};  // parameter of the entry, in the driver's spelling: "hEvent"
  std::string object = {};    // "event #7, created by call 41 (cuEventCreate), context #1"
  uint64_t handle = 0;
  std::vector<std::pair<std::string, std::string>> more =
      {};  // further facts by name: kernel, line, block, thread, ...
};

struct Finding {
  Rule rule;
  Severity severity;
  Details details = {};
  bool harness = false;  // raised by a call of the harness
  uint64_t call = 0;     // sequence number; 0: outside every call
  const char* entry = "";
  uint32_t thread = 0;  // ordinal
  const void* return_address = nullptr;
  uint64_t count =
      1;  // findings that agree in all of the above but the call and thread are one, counted
};

void Raise(Rule rule, Details details = {}) noexcept;

// Certifying raises the severity of rules on which permissive drivers and the contract differ.
void SetCertifying(bool certifying);

std::vector<Finding> Findings();
void ClearFindings();

}  // namespace culprit::fakedriver::audit

#endif  // FAKEDRIVER_AUDIT_FINDING_H_
