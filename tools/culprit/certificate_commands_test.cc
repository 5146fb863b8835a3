// SPDX-License-Identifier: Apache-2.0
//
// `culprit verify` and `culprit merge` on reports that were edited or do not go together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/culprit/testing/command.h"

namespace culprit::tools {
namespace {

using json = nlohmann::ordered_json;  // the order of keys is part of a certificate
using testing::HasSubstr;

constexpr const char* kCertify = "certify $PORT --suite public_close --profile r580 ";

class CertificateCommandsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<CommandFolder>();
    ASSERT_EQ(folder_->Culprit(std::string(kCertify) + "--report whole").code, 0);
    ASSERT_EQ(folder_->Culprit(std::string(kCertify) + "--report part1 --shard 1/2").code, 0);
    ASSERT_EQ(folder_->Culprit(std::string(kCertify) + "--report part2 --shard 2/2").code, 0);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // Verifies a copy of the whole report whose certificate a merge patch changed.
  static Outcome Verified(const json& patch) {
    std::filesystem::remove_all(folder_->Path("edited"));
    std::filesystem::copy(folder_->Path("whole"), folder_->Path("edited"),
                          std::filesystem::copy_options::recursive);
    json certificate = json::parse(folder_->Read("whole/certificate.json"));
    certificate.merge_patch(patch);
    folder_->Write("edited/certificate.json", certificate.dump(2));
    return folder_->Culprit("verify edited/certificate.json");
  }

  static std::unique_ptr<CommandFolder> folder_;
};

std::unique_ptr<CommandFolder> CertificateCommandsTest::folder_;

TEST_F(CertificateCommandsTest, WhatWasNotEditedIsValid) {
  const Outcome outcome = Verified(json::object());
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.error;
  EXPECT_THAT(outcome.output, HasSubstr("valid; verdict: certified"));
}

TEST_F(CertificateCommandsTest, AnEditedOrMissingFieldIsRefused) {
  const struct {
    json patch;
    const char* objection;
  } edits[] = {
      {{{"culprit_version", "9.9.9"}}, "'culprit_version' does not follow from the raw results"},
      {{{"culprit_version", nullptr}}, "'culprit_version' is missing"},
      {{{"verdict", "not certified"}}, "'verdict' does not follow"},
      {{{"times", nullptr}}, "'times' is not as culprit writes it"},
      {{{"times", {{"seconds", "fast"}}}}, "'times' is not as culprit writes it"},
      {{{"raw_results", {{"sha256", ""}}}}, "the raw results are not those of the certificate"},
      {{{"raw_results", {{"file", "none.db"}}}}, "none.db: cannot be read"},
      {{{"added", 1}}, "'added' is unknown"},
  };
  for (const auto& edit : edits) {
    const Outcome outcome = Verified(edit.patch);
    EXPECT_EQ(outcome.code, 1) << edit.objection;
    EXPECT_THAT(outcome.output, HasSubstr(edit.objection));
  }
}

TEST_F(CertificateCommandsTest, TheTimesThemselvesAreNotCovered) {
  EXPECT_EQ(Verified({{"times", {{"seconds", 1.5}, {"started", "1999-01-01T00:00:00Z"}}}}).code, 0);
}

TEST_F(CertificateCommandsTest, RawResultsThatAreNoneAreRefused) {
  Verified(json::object());
  folder_->Write("edited/results.db", "text");
  const Outcome outcome = folder_->Culprit("verify edited/certificate.json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("results.db: file is not a database"));
}

TEST_F(CertificateCommandsTest, CasesThatAreRunAgainComeToTheSameEnd) {
  const Outcome outcome = folder_->Culprit("verify whole/certificate.json --rerun 100% --json");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const auto results = json::parse(folder_->Read("whole/certificate.json")).at("results");
  EXPECT_EQ(json::parse(outcome.output).at("rerun"), results.front().at("cases"));
}

TEST_F(CertificateCommandsTest, APartSaysThatItIsOne) {
  EXPECT_THAT(folder_->Culprit(std::string(kCertify) + "--report part1 --shard 1/2").output,
              HasSubstr("certified as far as part 1/2 goes: tiny"));
  EXPECT_THAT(folder_->Culprit("verify part1/certificate.json").output,
              HasSubstr("verdict: certified as far as part 1/2 goes\n"));
}

// Ten scenarios that hang for a second each.
TEST_F(CertificateCommandsTest, ARunOfASubjectThatHangsAndHangsIsCutShort) {
  std::string suite =
      "suite: hangs\nversion: 1\ntitle: Hangs\nsubject: {kind: extractor}\ntimeout_s: 1\n"
      "matrix: {extractors: [[tiny]]}\n"
      "steps: [state_init, open, use: {options: {defect: hang}}, import, submit]\nscenarios:\n";
  for (int i = 0; i < 10; ++i) suite += "  - name: hang" + std::to_string(i) + "\n";
  folder_->Write("hangs.yaml", suite);
  const Outcome outcome = folder_->Culprit(
      "certify $PORT --suite hangs.yaml --profile r580 --report hangs --minimize 0 --json");
  EXPECT_EQ(outcome.code, 1) << outcome.error;
  const json certificate = json::parse(outcome.output);
  const auto& failures = certificate.at("failures");
  EXPECT_LT(failures.size(), 10U);
  EXPECT_EQ(failures.front().at("findings").front().at("last_driver_call"),
            "#6 cuCtxPopCurrent_v2 on thread 1: CUDA_SUCCESS");
  EXPECT_THAT(certificate.at("not_run").dump(), HasSubstr("8 cases hung, so the rest was not run"));
}

TEST_F(CertificateCommandsTest, PartsAreMerged) {
  const Outcome merged = folder_->Culprit("merge part1 part2 --report merged");
  EXPECT_EQ(merged.code, 0);
  EXPECT_THAT(merged.output, HasSubstr("\ncertified: tiny "));
  EXPECT_EQ(folder_->Culprit("verify merged/certificate.json").code, 0);
}

TEST_F(CertificateCommandsTest, WhatDoesNotGoTogetherIsRefusedAndLeavesNothing) {
  const std::pair<const char*, const char*> refused[] = {
      {"part1 whole", "whole is part 1/1, which does not go with part1, part 1/2"},
      {"part1 part1", "part1: the same shard as part1"},
      {"part1", "is missing"}};
  for (const auto& [parts, says] : refused) {
    const Outcome outcome = folder_->Culprit(std::string("merge --report none ") + parts);
    EXPECT_EQ(outcome.code, 2) << parts;
    EXPECT_THAT(outcome.error, HasSubstr(says));
    EXPECT_FALSE(std::filesystem::exists(folder_->Path("none/certificate.json")));
  }
}

}  // namespace
}  // namespace culprit::tools
