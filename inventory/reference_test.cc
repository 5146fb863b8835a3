// SPDX-License-Identifier: Apache-2.0
// The reference extractors keep their contract, and the mutants whose defect the source shows are
// found. Mutants whose defect is in what happens at run time (a missing retry, a wrong index) are
// the suites' to catch; reference_mutants.txt lists the rest.
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
  std::string mutant, rule;
};

void PrintTo(const Expectation& expectation, std::ostream* out) {
  *out << expectation.mutant << " " << expectation.rule;
}

std::vector<Expectation> Expectations() {
  std::istringstream lines(
      ReadFile(fs::path(CULPRIT_INVENTORY_TESTDATA) / "reference_mutants.txt"));
  std::vector<Expectation> expectations;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Expectation expectation;
    if (line.starts_with('#') || !(words >> expectation.mutant >> expectation.rule)) continue;
    expectations.push_back(std::move(expectation));
  }
  return expectations;
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
  ASSERT_NE(file, tree->sources.end())
      << path << " is not among the sources that the contract covers";
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

class ReferenceMutantTest : public testing::TestWithParam<Expectation> {};

TEST_P(ReferenceMutantTest, IsFoundInItsSource) {
  const YAML::Node mutants = YAML::LoadFile(kReference / "mutants/mutants.yaml");
  const auto mutant = std::find_if(mutants.begin(), mutants.end(), [](const YAML::Node& node) {
    return node["name"].as<std::string>() == GetParam().mutant;
  });
  ASSERT_TRUE(mutant != mutants.end()) << "mutants.yaml has no mutant of this name";
  const Contract contract = ReferenceContract();
  Tree tree = ReadTree(kReference, contract);
  for (const YAML::Node& change : (*mutant)["changes"])
    ASSERT_NO_FATAL_FAILURE(Apply(change, &tree));
  EXPECT_THAT(NewFindings(CheckTree(tree, contract)),
              testing::Contains(testing::EndsWith(" " + GetParam().rule)));
}

INSTANTIATE_TEST_SUITE_P(Mutants, ReferenceMutantTest, testing::ValuesIn(Expectations()),
                         [](const auto& test) { return test.param.mutant; });

}  // namespace
}  // namespace culprit::inventory
