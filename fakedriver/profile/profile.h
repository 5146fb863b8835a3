// SPDX-License-Identifier: Apache-2.0
//
// Which result a call returns where drivers and documentation differ: one row of profile.def for
// each difference. Findings never depend on the profile.
#ifndef FAKEDRIVER_PROFILE_PROFILE_H_
#define FAKEDRIVER_PROFILE_PROFILE_H_

#include <array>

#include "fakedriver/core/settings.h"

namespace culprit::fakedriver::profile {

struct Profile {
#define PROFILE_DIFFERENCE(field, r580, strict, strict_submit, what, source) bool field;
#include "fakedriver/profile/profile.def"
};

// In the order of ProfileName.
inline constexpr std::array<Profile, 3> kProfiles = {{
    {
#define PROFILE_DIFFERENCE(field, r580, strict, strict_submit, what, source) r580,
#include "fakedriver/profile/profile.def"
    },
    {
#define PROFILE_DIFFERENCE(field, r580, strict, strict_submit, what, source) strict,
#include "fakedriver/profile/profile.def"
    },
    {
#define PROFILE_DIFFERENCE(field, r580, strict, strict_submit, what, source) strict_submit,
#include "fakedriver/profile/profile.def"
    },
}};

inline const Profile& Current() {
  return kProfiles[static_cast<size_t>(CurrentSettings().profile)];
}

}  // namespace culprit::fakedriver::profile

#endif  // FAKEDRIVER_PROFILE_PROFILE_H_
