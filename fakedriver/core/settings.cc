// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/settings.h"

#include <array>
#include <cstddef>
#include <new>

namespace culprit::fakedriver {
namespace settings_internal {

namespace {

alignas(Settings) constinit std::byte storage[sizeof(Settings)];

// Before any other initialiser of the library, since that of the environment changes settings. They
// are never destroyed: the driver is called until the process ends.
__attribute__((constructor(101))) void ConstructSettings() { new (storage) Settings; }

}  // namespace

Settings* const current = reinterpret_cast<Settings*>(storage);

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
