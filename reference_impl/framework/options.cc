// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/options.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace culprit::reference {
namespace {

std::string Shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

const std::string* OptionReader::Take(const char* name) {
  known_.push_back(name);
  const auto option = options_.find(name);
  return option == options_.end() ? nullptr : &option->second;
}

void OptionReader::Refuse(const std::string& name, const std::string& value) {
  if (refused_.ok()) {
    refused_ = ExtractorFailure(-EINVAL, "option " + name + " cannot be \"" + value + "\"");
  }
}

OptionReader& OptionReader::Number(const char* name, const char* alias, double* value) {
  const std::string* text = Take(name);
  if (text == nullptr) return *this;
  char* end = nullptr;
  const double parsed = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0' || !std::isfinite(parsed)) {
    Refuse(name, *text);
    return *this;
  }
  if (parsed != *value && *alias != '\0')
    suffix_ += std::string("_") + alias + "_" + Shortest(parsed);
  *value = parsed;
  return *this;
}

OptionReader& OptionReader::Flag(const char* name, const char* alias, bool* value) {
  const std::string* text = Take(name);
  if (text == nullptr) return *this;
  if (*text != "true" && *text != "false") {
    Refuse(name, *text);
    return *this;
  }
  const bool parsed = *text == "true";
  if (parsed != *value && *alias != '\0') suffix_ += std::string("_") + alias;
  *value = parsed;
  return *this;
}

Status OptionReader::Finish(std::string* suffix) const {
  Status finished = Finish();
  if (finished.ok()) *suffix = suffix_;
  return finished;
}

Status OptionReader::Finish() const {
  if (!refused_.ok()) return refused_;
  for (const auto& [name, value] : options_) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      return ExtractorFailure(-EINVAL, "there is no option " + name);
    }
  }
  return Status();
}

}  // namespace culprit::reference
