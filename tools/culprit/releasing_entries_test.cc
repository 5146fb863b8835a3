// SPDX-License-Identifier: Apache-2.0
//
// What the runner knows of releases against the driver, which it knows by what findings say.
#include "suites/runner/releasing_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "fakedriver/core/api.h"
#include "fakedriver/core/object.h"

namespace culprit::suites {
namespace {

using fakedriver::ApiInfo;
using fakedriver::Effect;
using fakedriver::kApis;
using fakedriver::KindName;
using fakedriver::ObjectKind;
using testing::IsEmpty;
using testing::Not;

// They go with another object and are never left.
const std::set<ObjectKind> kParts = {ObjectKind::kFunction, ObjectKind::kKernel,
                                     ObjectKind::kTextureReference, ObjectKind::kGraphNode,
                                     ObjectKind::kOther};

const EntryTable& Table() {
  static const EntryTable table = [] {
    nlohmann::json rows;
    for (const ApiInfo& row : kApis) {
      rows.push_back({{"symbol", row.symbol}, {"needs", NeedsName(row.needs)}});
    }
    return EntryTable::Read(rows);
  }();
  return table;
}

TEST(ReleasingEntriesTest, EveryKindThatCanBeLeftHasOnesThatDestroy) {
  for (size_t i = 0; i < static_cast<size_t>(ObjectKind::kCount); ++i) {
    const auto kind = static_cast<ObjectKind>(i);
    if (kParts.contains(kind)) continue;
    EXPECT_THAT(ReleasingEntries(KindName(kind)), Not(IsEmpty())) << KindName(kind);
    for (const std::string_view entry : ReleasingEntries(KindName(kind))) {
      EXPECT_TRUE(std::any_of(std::begin(kApis), std::end(kApis), [&](const ApiInfo& row) {
        return row.lookup == entry && row.effect == Effect::kDestroys;
      })) << entry;
    }
  }
}

TEST(ReleasingEntriesTest, TellsTheKindsThatEndWithoutAContext) {
  for (const char* kind :
       {"primary retain", "context", "graph", "executable graph", "user object", "link state"}) {
    EXPECT_FALSE(ReleaseNeedsContext(Table(), kind)) << kind;
  }
  for (const char* kind : {"stream", "event", "module", "allocation", "host block", "mapping"}) {
    EXPECT_TRUE(ReleaseNeedsContext(Table(), kind)) << kind;
  }
  EXPECT_FALSE(ReleaseNeedsContext(Table(), "nothing of that name"));
}

}  // namespace
}  // namespace culprit::suites
