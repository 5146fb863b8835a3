// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ResultsTest, NamesGoBackAndForth) {
  EXPECT_STREQ(ResultName(CUDA_ERROR_OUT_OF_MEMORY), "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(ResultNamed("CUDA_ERROR_UNKNOWN"), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(ResultNamed("CUDA_ERROR_NONSENSE"), std::nullopt);
}

TEST(ResultsTest, AValueThatIsNoResultHasNoNameButAText) {
  const auto value = static_cast<CUresult>(123456);
  EXPECT_EQ(ResultName(value), nullptr);
  EXPECT_EQ(ResultDescription(value), nullptr);
  EXPECT_EQ(ResultText(value), "123456");
}

TEST(ResultsTest, VariantsShareTheDocumentedResults) {
  EXPECT_THAT(DocumentedResults(ApiId::cuMemAlloc_v2), Contains(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(DocumentedResults(ApiId::cuMemAlloc).data(),
            DocumentedResults(ApiId::cuMemAlloc_v2).data());
  EXPECT_EQ(DocumentedResults(ApiId::cuStreamQuery_ptsz).data(),
            DocumentedResults(ApiId::cuStreamQuery).data());
}

TEST(ResultsTest, SuccessIsNeverListed) {
  for (const ApiInfo& row : kApis) {
    EXPECT_THAT(DocumentedResults(row.id), Not(Contains(CUDA_SUCCESS))) << row.symbol;
  }
}

TEST(ResultsTest, EntriesOutsideTheHeaderHaveNone) {
  EXPECT_THAT(DocumentedResults(ApiId::cuGLInit), IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver
