// SPDX-License-Identifier: Apache-2.0
//
// Options of an extractor as text, and the feature names that carry them: a score under options
// that are not the defaults has another key, "integer_motion2_mfw_1.5", so that two instances
// cannot be mistaken for each other.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_OPTIONS_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_OPTIONS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference_impl/driver/status.h"

namespace culprit::reference {

// Ordered by name, which is the order of the suffixes of a feature name.
using Options = std::map<std::string, std::string>;

// Reads options into typed fields and collects the suffix. Use: one call per option the extractor
// knows, in alphabetical order, then Finish.
class OptionReader {
 public:
  explicit OptionReader(const Options& options) : options_(options) {}

  // `alias` is what the feature name shows; an empty one keeps the option out of it.
  OptionReader& Number(const char* name, const char* alias, double* value);
  // A flag's suffix is its alias, alone.
  OptionReader& Flag(const char* name, const char* alias, bool* value);

  // -EINVAL for an option nobody asked for or a value that cannot be read.
  Status Finish(std::string* suffix) const;
  // The same for an extractor whose options, if it has any, show in no feature name.
  Status Finish() const;

 private:
  const std::string* Take(const char* name);
  void Refuse(const std::string& name, const std::string& value);

  const Options& options_;
  std::vector<std::string_view> known_;
  std::string suffix_;
  Status refused_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_OPTIONS_H_
