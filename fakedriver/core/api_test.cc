// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace culprit::fakedriver {
namespace {

using ::testing::IsEmpty;

TEST(ApiTableTest, EachIdIsTheIndexOfItsRow) {
  for (size_t i = 0; i < kApiCount; ++i) EXPECT_EQ(static_cast<size_t>(kApis[i].id), i);
}

TEST(ApiTableTest, EverySymbolIsFoundByName) {
  for (const ApiInfo& row : kApis) EXPECT_EQ(ApiNamed(row.symbol), row.id) << row.symbol;
  EXPECT_EQ(ApiNamed("cuNoSuchEntry"), std::nullopt);
  EXPECT_EQ(ApiNamed(""), std::nullopt);
}

TEST(ApiTableTest, AliasesTakeFamilyEffectAndNeedsFromTheirBase) {
  const ApiInfo& alias = Info(ApiId::cuMemcpyHtoDAsync_v2_ptsz);
  EXPECT_EQ(alias.base, ApiId::cuMemcpyHtoDAsync_v2);
  EXPECT_EQ(alias.family, Family::kCopy);
  EXPECT_EQ(alias.effect, Effect::kSubmits);
  EXPECT_EQ(alias.variant, Variant::kPtsz);
}

TEST(ApiTableTest, NoBaseIsItselfAnAlias) {
  for (const ApiInfo& row : kApis) {
    EXPECT_EQ(Info(row.base).base, row.base) << row.symbol;
    EXPECT_EQ(row.base == row.id, row.variant == Variant::kLegacy) << row.symbol;
  }
}

TEST(ApiTableTest, FamilyNamesGoBackAndForth) {
  for (size_t i = 0; i < kFamilyCount; ++i) {
    const auto family = static_cast<Family>(i);
    EXPECT_EQ(FamilyNamed(FamilyName(family)), family);
  }
  EXPECT_STREQ(FamilyName(Family::kPrimaryContext), "primary_context");
  EXPECT_STREQ(FamilyName(Family::kGreenContext), "green_context");
  EXPECT_STREQ(FamilyName(Family::kOther), "other");
  EXPECT_EQ(FamilyNamed("streams"), std::nullopt);
}

TEST(ApiTableTest, EveryFunctionThatTheHeaderDeclaresHasARow) {
  std::ifstream file(CULPRIT_CUDA_H);
  const std::string header{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(header.size(), 100'000u) << CULPRIT_CUDA_H;
  const std::regex declaration(R"(CUresult\s+CUDAAPI\s+(cu[A-Za-z0-9_]+)\s*\()");
  std::set<std::string> missing;
  for (std::sregex_iterator it(header.begin(), header.end(), declaration), end; it != end; ++it) {
    if (!ApiNamed((*it)[1].str())) missing.insert((*it)[1].str());
  }
  EXPECT_THAT(missing, IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver
