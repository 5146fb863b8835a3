// SPDX-License-Identifier: Apache-2.0
#include "stress/report/known_growth.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::stress {
namespace {

using ::testing::HasSubstr;

std::string File(const std::string& entries) {
  return R"({"schema": "culprit.known_growth/1", "entries": [)" + entries + "]}";
}

constexpr char kContextHeap[] =
    R"({"driver": "580.", "probe": "context", "resource": "heap", "per_cycle": 600, "reason": "r"})";

TEST(KnownGrowthTest, AnEntryHoldsForItsDriversOnly) {
  std::vector<KnownGrowth> known;
  std::string error;
  ASSERT_TRUE(ReadKnownGrowth(File(kContextHeap), "f", &known, &error)) << error;
  const KnownGrowth* entry = FindKnownGrowth(known, "580.159.04", "context", Resource::kHeap);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->per_cycle, 600);
  EXPECT_EQ(FindKnownGrowth(known, "590.10", "context", Resource::kHeap), nullptr);
  EXPECT_EQ(FindKnownGrowth(known, "", "context", Resource::kHeap), nullptr);
  EXPECT_EQ(FindKnownGrowth(known, "580.1", "stream", Resource::kHeap), nullptr);
  EXPECT_EQ(FindKnownGrowth(known, "580.1", "context", Resource::kThreads), nullptr);
}

TEST(KnownGrowthTest, MalformedFilesAreTurnedDownWithFileEntryAndRule) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "f: "},
      {"[]", "f: entry 0"},
      {R"({"schema": "other", "entries": []})", "schema is not culprit.known_growth/1"},
      {File(fmt::format("{}{}", kContextHeap, R"(, {"driver": "1"})")), "f: entry 1"},
      {File(R"({"driver": "1", "probe": "p", "resource": "gold", "per_cycle": 1, "reason": "r"})"),
       "no resource is called 'gold'"},
      {File(R"({"driver": "1", "probe": "p", "resource": "heap", "per_cycle": 0, "reason": "r"})"),
       "per_cycle must be above zero"},
      {File(R"({"driver": "1", "probe": "p", "resource": "heap", "per_cycle": 1, "reason": ""})"),
       "a reason is missing"},
      {File(R"({"driver": 1, "probe": "p", "resource": "heap", "per_cycle": 1, "reason": "r"})"),
       "f: entry 0"},
  };
  for (const auto& [text, expected] : cases) {
    std::vector<KnownGrowth> known;
    std::string error;
    EXPECT_FALSE(ReadKnownGrowth(text, "f", &known, &error)) << text;
    EXPECT_THAT(error, HasSubstr(expected)) << text;
  }
}

}  // namespace
}  // namespace culprit::stress
