// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/mutants.md from mutants.yaml: the matrix of mutants, suites and findings.
//
//   culprit_mutants_page MUTANTS.yaml SUITES_FOLDER
//
// What it prints is what mutants.yaml declares; that every row is true, the tests with the label
// "mutant" show, each of which runs one mutant against its suite.
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

struct Mutant {
  std::string name, defect, origin, port, suite, finding;
};

std::vector<Mutant> ReadMutants(const std::string& path) {
  std::vector<Mutant> mutants;
  for (const YAML::Node& node : YAML::LoadFile(path)) {
    const auto text = [&](const YAML::Node& value) { return value.as<std::string>(); };
    mutants.push_back({text(node["name"]), text(node["defect"]), text(node["origin"]),
                       node["port"] ? text(node["port"]) : "ReferencePort",
                       text(node["caught_by"]["suite"]), text(node["caught_by"]["finding"])});
  }
  return mutants;
}

// Headings of mutants.yaml, by the mutant that follows each.
std::map<std::string, std::string> ReadHeadings(const std::string& path) {
  std::map<std::string, std::string> headings;
  std::ifstream file(path);
  std::string heading;
  const std::regex heading_line("# ---- (.*) ----");
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (std::regex_match(line, match, heading_line)) heading = match[1];
    if (line.rfind("- name: ", 0) == 0 && !heading.empty()) {
      headings[line.substr(8)] = std::exchange(heading, {});
    }
  }
  return headings;
}

std::set<std::string> SuitesIn(const std::string& folder) {
  std::set<std::string> suites;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".yaml") suites.insert(file.path().stem());
  }
  return suites;
}

// suite -> finding -> number of mutants
using Matrix = std::map<std::string, std::map<std::string, int>>;

void PrintMatrix(const std::vector<Mutant>& mutants, const std::set<std::string>& suites) {
  Matrix matrix;
  for (const std::string& suite : suites) matrix[suite];
  for (const Mutant& mutant : mutants) ++matrix[mutant.suite][mutant.finding];
  std::cout << "| suite | mutants | findings |\n| --- | --- | --- |\n";
  for (const auto& [suite, findings] : matrix) {
    int total = 0;
    std::string list;
    for (const auto& [finding, count] : findings) {
      total += count;
      list += (list.empty() ? "" : ", ") + ("`" + finding + "` ") + std::to_string(count);
    }
    std::cout << "| `" << suite << "` | " << total << " | " << list << " |\n";
  }
}

void Print(const std::vector<Mutant>& mutants, const std::map<std::string, std::string>& headings,
           const std::set<std::string>& suites) {
  std::cout << "# Mutants\n\n"
            << mutants.size()
            << " defects, each the smallest change of a correct subject that has it, and what "
               "catches it. Printed from\n`reference_impl/mutants/mutants.yaml` by "
               "`cmake --build build/dev --target mutants_page`; `ctest -L mutant` runs every "
               "mutant against\nits suite, demands the finding, and replays the failure.\n\n";
  PrintMatrix(mutants, suites);
  for (const Mutant& mutant : mutants) {
    if (const auto heading = headings.find(mutant.name); heading != headings.end()) {
      std::cout << "\n## " << heading->second
                << "\n\n| mutant | defect | seen in | suite | finding |\n"
                   "| --- | --- | --- | --- | --- |\n";
    }
    std::cout << "| `" << mutant.name << "` | " << mutant.defect << " | " << mutant.origin << " | `"
              << mutant.suite << "` | `" << mutant.finding << "` |\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: culprit_mutants_page MUTANTS.yaml SUITES_FOLDER\n";
    return 2;
  }
  try {
    Print(ReadMutants(argv[1]), ReadHeadings(argv[1]), SuitesIn(argv[2]));
  } catch (const std::exception& failure) {
    std::cerr << "culprit_mutants_page: " << failure.what() << "\n";
    return 1;
  }
  return 0;
}
