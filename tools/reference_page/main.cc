// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/reference.md: owners, modules, suites, results, and how far the scores are from the
// golden ones. With --take it first makes the record of a certification's results.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "suites/runner/suite_reader.h"
#include "tools/reference_page/page.h"

namespace {

using culprit::tools::PageData;

// Suites whose subject is a set of extractors, by name.
std::map<std::string, uint32_t> SuiteVersions(const std::string& folder) {
  std::map<std::string, uint32_t> versions;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".yaml") continue;
    const culprit::suites::Suite suite = culprit::suites::ReadSuite(file.path());
    if (suite.subject.kind == culprit::suites::Requirements::Kind::kExtractor) {
      versions[suite.name] = suite.version;
    }
  }
  return versions;
}

PageData Read(const std::string& root) {
  const std::string reference = root + "/reference_impl";
  return {
      culprit::tools::ReadOwnerModules(reference + "/inventory.toml"),
      culprit::reference::testing::ReadDifferences(reference + "/golden/differences_on_fake.json"),
      culprit::reference::testing::DifferencesOfRecordedScores(reference + "/golden",
                                                               reference + "/golden/h200"),
      culprit::tools::ReadResults(reference + "/certified.json"), SuiteVersions(root + "/suites")};
}

}  // namespace

int main(int argc, char** argv) {
  std::string root;
  std::vector<std::string> stores;
  CLI::App app("Prints docs/reference.md");
  app.add_option("root", root, "The source tree")->required();
  app.add_option("--take", stores,
                 "Record the results of these results.db before; a suite's are those of the last");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!stores.empty()) {
      culprit::tools::WriteResults(root + "/reference_impl/certified.json",
                                   culprit::tools::TakeResults(stores));
    }
    const PageData data = Read(root);
    culprit::tools::CheckComplete(data);
    std::cout << culprit::tools::PageText(data);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "culprit_reference_page: " << error.what() << "\n";
    return 1;
  }
}
