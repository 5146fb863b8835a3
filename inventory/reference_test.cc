// SPDX-License-Identifier: Apache-2.0
// The reference extractors keep their contract, and every mutant whose defect the source shows is
// found. The mutants are those of mutants.yaml; reference_mutants.txt says of each which rule finds
// it, or why no source checker can. Both are held: a mutant listed as invisible that is found is as
// wrong as one that is not found any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/scan/file_walk.h"
#include "inventory/testing/source_tree.h"

namespace culprit::inventory {
namespace {

namespace fs = std::filesystem;

const fs::path kReference = CULPRIT_REFERENCE_FOLDER;

struct Expectation {
  std::string rule;    // "-": the source does not show it
  std::string reason;  // why not
};

std::map<std::string, Expectation> Expectations() {
  std::istringstream lines(
      ReadFile(fs::path(CULPRIT_INVENTORY_TESTDATA) / "reference_mutants.txt"));
  std::map<std::string, Expectation> expectations;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mutant;
    Expectation expectation;
    if (line.starts_with('#') || !(words >> mutant >> expectation.rule)) continue;
    std::getline(words >> std::ws, expectation.reason);
    expectations[mutant] = std::move(expectation);
  }
  return expectations;
}

std::vector<YAML::Node> Mutants() {
  const YAML::Node mutants = YAML::LoadFile(kReference / "mutants/mutants.yaml");
  return {mutants.begin(), mutants.end()};
}

std::vector<std::string> MutantNames() {
  std::vector<std::string> names;
  for (const YAML::Node& mutant : Mutants()) names.push_back(mutant["name"].as<std::string>());
  return names;
}

bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Where `passage` stands in `text`, any blanks being equal to any others; {npos, 0} when it does
// not.
std::pair<size_t, size_t> FindPassage(const std::string& text, const std::string& passage) {
  for (size_t at = 0; at < text.size(); ++at) {
    size_t in_text = at, in_passage = 0;
    while (in_passage < passage.size() && in_text < text.size()) {
      if (IsBlank(passage[in_passage]) && IsBlank(text[in_text])) {
        while (in_passage < passage.size() && IsBlank(passage[in_passage])) ++in_passage;
        while (in_text < text.size() && IsBlank(text[in_text])) ++in_text;
      } else if (passage[in_passage] == text[in_text]) {
        ++in_passage;
        ++in_text;
      } else {
        break;
      }
    }
    if (in_passage == passage.size()) return {at, in_text - at};
  }
  return {std::string::npos, 0};
}

void Apply(const YAML::Node& change, Tree* tree) {
  const std::string path = fs::path(change["file"].as<std::string>())
                               .lexically_relative("reference_impl")
                               .generic_string();
  const auto file = std::find_if(tree->sources.begin(), tree->sources.end(),
                                 [&](const SourceFile& source) { return source.path() == path; });
  if (file == tree->sources.end()) return;  // no source that the contract covers
  std::string text(file->text());
  const auto [at, length] = FindPassage(text, change["find"].as<std::string>());
  ASSERT_NE(at, std::string::npos)
      << path << " has no passage " << change["find"].as<std::string>();
  text.replace(at, length, change["put"].as<std::string>());
  *file = SourceFile(path, text, file->language());
}

Contract ReferenceContract() {
  return ParseContract(ReadFile(kReference / "inventory.toml"), "reference_impl/inventory.toml");
}

TEST(ReferenceInventoryTest, KeepsItsContract) {
  const Contract contract = ReferenceContract();
  EXPECT_THAT(NewFindings(CheckTree(ReadTree(kReference, contract), contract)), testing::IsEmpty())
      << "run: culprit inventory reference_impl";
}

class ReferenceMutantTest : public testing::TestWithParam<std::string> {};

TEST_P(ReferenceMutantTest, IsFoundWhereItsSourceShowsIt) {
  const Contract contract = ReferenceContract();
  Tree tree = ReadTree(kReference, contract);
  for (const YAML::Node& mutant : Mutants()) {
    if (mutant["name"].as<std::string>() != GetParam()) continue;
    for (const YAML::Node& change : mutant["changes"])
      ASSERT_NO_FATAL_FAILURE(Apply(change, &tree));
  }
  const std::vector<std::string> found = NewFindings(CheckTree(tree, contract));
  const auto expectations = Expectations();
  const auto expectation = expectations.find(GetParam());
  const std::string rule = found.empty() ? "- REASON" : found[0].substr(found[0].rfind(' ') + 1);
  ASSERT_TRUE(expectation != expectations.end())
      << "not in reference_mutants.txt; add: " << GetParam() << " " << rule;
  if (expectation->second.rule == "-") {
    EXPECT_THAT(expectation->second.reason, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(found, testing::IsEmpty()) << "the source does show it: name the rule";
  } else {
    EXPECT_THAT(found, testing::Contains(testing::EndsWith(" " + expectation->second.rule)));
  }
}

INSTANTIATE_TEST_SUITE_P(Mutants, ReferenceMutantTest, testing::ValuesIn(MutantNames()),
                         [](const auto& test) { return test.param; });

TEST(ReferenceInventoryTest, TheListNamesNoMutantThatIsGone) {
  for (const auto& [mutant, expectation] : Expectations())
    EXPECT_THAT(MutantNames(), testing::Contains(mutant));
}

}  // namespace
}  // namespace culprit::inventory
