// SPDX-License-Identifier: Apache-2.0
// What a rule found: where, in which function, why, and how to mend it. Findings carry their line's
// text, so reports need no second look at the sources, and a fingerprint that survives edits
// elsewhere in the file.
#ifndef CULPRIT_INVENTORY_REPORT_FINDING_H_
#define CULPRIT_INVENTORY_REPORT_FINDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inventory/rules/rule.h"
#include "inventory/scan/source_file.h"

namespace culprit::inventory {

struct Location {
  std::string path;
  Position begin;
  uint32_t end_column = 0;   // on begin.line; one past the last character
  std::string line_text;     // the line; of a very long one, what stands around the place
  uint32_t text_column = 1;  // column of the first character of line_text
};

struct Note {
  Location where;
  std::string message;
};

// Replaces [begin, end) of the finding's file, in bytes.
struct Fix {
  uint32_t begin = 0, end = 0;
  std::string replacement;
  std::string description;
};

enum class Standing : uint8_t { kNew, kSuppressed, kBaselined };

struct Finding {
  RuleId rule = RuleId::kRawTeardown;
  Severity severity = Severity::kError;
  Location where;
  std::string function;  // empty at file scope
  std::string message;
  std::vector<Note> notes;
  std::optional<Fix> fix;
  bool in_unparsed_region = false;
  std::string fingerprint;
  Standing standing = Standing::kNew;
  std::string reason;  // of the suppression
};

// The place [begin, end) of `file`, cut at the end of its first line.
Location LocationOf(const SourceFile& file, uint32_t begin, uint32_t end);

// Sorts by place and gives each finding its fingerprint: rule, file, function and the line's words,
// numbered where they repeat.
void SortAndFingerprint(std::vector<Finding>* findings);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_FINDING_H_
