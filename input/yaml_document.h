// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_YAML_DOCUMENT_H_
#define INPUT_YAML_DOCUMENT_H_

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>

namespace culprit {

inline constexpr const char* kOneDocument = "a file holds one document; here another one begins";

// Where a second document of a YAML text begins, after `---` or after the end of the first.
// YAML::Load takes the first and says nothing of the rest. Throws YAML::Exception.
std::optional<YAML::Mark> SecondDocument(const std::string& text);

}  // namespace culprit

#endif  // INPUT_YAML_DOCUMENT_H_
