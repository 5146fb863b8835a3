// SPDX-License-Identifier: Apache-2.0
//
// A member of a JSON object as text, for people.
#ifndef TOOLS_CULPRIT_REPORT_JSON_TEXT_H_
#define TOOLS_CULPRIT_REPORT_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>

namespace culprit::tools {

// Strings without their quotes, everything else as JSON; nothing when it is not there or null.
inline std::string Text(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_JSON_TEXT_H_
