// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/results_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "input/scratch_folder.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/testing/example_report.h"

namespace culprit::tools {
namespace {

using testing::HasSubstr;

class ResultsStoreTest : public testing::Test {
 protected:
  void SetUp() override { Write(); }

  void Write() const {
    ResultsStore store = ResultsStore::Create(path_);
    const Report report = ExampleReport();
    for (const suites::GroupResult& group : report.groups) store.Add(group);
    for (const suites::Skip& skip : report.skips) store.Add(skip);
    for (const auto& [group, result] : ExampleCases()) store.Add(group, result);
    StoreIdentity(report, &store);
    store.Finish();
  }

  // What somebody does who edits the results.
  void Execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_close(database);
  }

  const ScratchFolder folder_;
  const std::string path_ = folder_ / "results.db";
};

TEST_F(ResultsStoreTest, GivesBackWhatTheCertificateFollowsFrom) {
  const ResultsStore store = ResultsStore::Open(path_);
  const RawResults raw{store.Cases(), store.Sha256()};
  EXPECT_EQ(raw.cases, 5U);
  auto expected = CertificateOf(ExampleReport(), raw);
  auto again = CertificateOf(ReportFrom(store), raw);
  for (auto* certificate : {&expected, &again}) certificate->erase("times");
  EXPECT_EQ(expected, again);
}

TEST_F(ResultsStoreTest, DigestIsOfTheContentAndNotOfThePages) {
  const std::string before = ResultsStore::Open(path_).Sha256();
  Execute("VACUUM");
  EXPECT_EQ(ResultsStore::Open(path_).Sha256(), before);
  Execute("UPDATE result SET calls = calls + 1 WHERE scenario = 0 AND number = 1");
  EXPECT_NE(ResultsStore::Open(path_).Sha256(), before);
}

TEST_F(ResultsStoreTest, KnowsTheFirstCaseThatIsMissing) {
  const auto gap = [&](const suites::Shard& shard) {
    const ResultsStore store = ResultsStore::Open(path_);
    return store.FirstGap(store.Groups()[1], shard);
  };
  EXPECT_EQ(gap({}), std::nullopt);
  Execute("DELETE FROM result WHERE scenario = 1 AND number = 2");
  EXPECT_EQ(gap({}), 2U);
  EXPECT_EQ(gap({.index = 0, .count = 2}), std::nullopt) << "case 2 is the other shard's";
}

TEST_F(ResultsStoreTest, RefusesAVerdictThatDoesNotFollowFromTheFindings) {
  Execute("UPDATE result SET passed = 1");
  EXPECT_THAT([&] { ReportFrom(ResultsStore::Open(path_)); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("close/used, case 2")));
}

TEST_F(ResultsStoreTest, RefusesTheSameCaseTwice) {
  ResultsStore store = ResultsStore::Create(path_);
  store.Add(0, ExampleCases()[0].second);
  EXPECT_THAT([&] { store.Add(0, ExampleCases()[0].second); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("UNIQUE")));
}

TEST_F(ResultsStoreTest, NamesTheRowThatCannotBeRead) {
  Execute("UPDATE result SET faults = 'nonsense' WHERE scenario = 1 AND number = 1");
  EXPECT_THAT([&] { ReportFrom(ResultsStore::Open(path_)); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("scenario 1, case 1")));
}

TEST(ResultsStoreOpenTest, NamesAFileThatIsNotThere) {
  EXPECT_THAT([] { ResultsStore::Open("/no/such/results.db"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("/no/such/results.db")));
}

}  // namespace
}  // namespace culprit::tools
