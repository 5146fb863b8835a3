// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/settings.h"

#include <array>
#include <cstddef>

namespace culprit::fakedriver {
namespace settings_internal {

namespace {

// Initialised before any code of the library runs, and never destroyed: the driver is called until
// the process ends.
union Immortal {
  Settings settings;
  constexpr Immortal() : settings{} {}
  constexpr ~Immortal() {}
};
constinit Immortal storage;

}  // namespace

constinit Settings* const current = &storage.settings;

}  // namespace settings_internal

void ChangeSettings(const Settings& settings) { *settings_internal::current = settings; }

const char* ProfileText(ProfileName profile) {
  constexpr std::array texts = {"r580", "strict", "strict-submit"};
  return texts[static_cast<size_t>(profile)];
}

const char* PolicyText(Policy policy) {
  constexpr std::array texts = {"eager", "timed", "lazy", "random"};
  return texts[static_cast<size_t>(policy)];
}

const char* ReuseText(HandleReuse reuse) {
  constexpr std::array texts = {"never", "newest-first"};
  return texts[static_cast<size_t>(reuse)];
}

}  // namespace culprit::fakedriver
