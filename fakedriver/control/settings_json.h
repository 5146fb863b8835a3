// SPDX-License-Identifier: Apache-2.0
//
// Settings as JSON: {"profile":"strict","policy":"lazy","seed":7,"checks":{"races":true}}. Unknown
// keys and values are errors.
#ifndef FAKEDRIVER_CONTROL_SETTINGS_JSON_H_
#define FAKEDRIVER_CONTROL_SETTINGS_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "fakedriver/core/settings.h"

namespace culprit::fakedriver::control {

// `base` with the keys of `json` changed, or nothing and the reason in *error.
std::optional<Settings> ParseSettings(std::string_view json, const Settings& base,
                                      std::string* error);

std::string SettingsAsJson(const Settings& settings);

// One setting by its text, as environment variables give it.
bool SetProfile(std::string_view text, Settings* settings);
bool SetPolicy(std::string_view text, Settings* settings);

}  // namespace culprit::fakedriver::control

#endif  // FAKEDRIVER_CONTROL_SETTINGS_JSON_H_
