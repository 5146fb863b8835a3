// SPDX-License-Identifier: Apache-2.0
//
// Makes the sources of one mutant: the correct files with the mutant's changes put in.
//
//   culprit_mutate MUTANTS.yaml NAME SOURCE_ROOT OUTPUT_FOLDER
//
// A change names a file, a passage of it and what is put in its place. White space in the passage
// matches any white space, so that formatting a file does not break its mutants; a passage that
// does not occur exactly once does.
#include <yaml-cpp/yaml.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

struct Passage {
  size_t start = 0;
  size_t length = 0;
};

// Length of the passage that starts at `at` and reads as `wanted`; 0 if none does.
size_t MatchAt(const std::string& text, size_t at, const std::string& wanted) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  size_t position = at;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!space(wanted[i])) {
      if (position >= text.size() || text[position] != wanted[i]) return 0;
      ++position;
      continue;
    }
    if (position >= text.size() || !space(text[position])) return 0;
    while (position < text.size() && space(text[position])) ++position;
    while (i + 1 < wanted.size() && space(wanted[i + 1])) ++i;
  }
  return position - at;
}

Passage FindOnly(const std::string& text, const std::string& wanted, const std::string& where) {
  Passage found;
  int count = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t length = MatchAt(text, at, wanted);
    if (length == 0) continue;
    found = {at, length};
    ++count;
  }
  if (count != 1) {
    throw std::runtime_error(where + ": the passage occurs " + std::to_string(count) +
                             " times, not once: " + wanted);
  }
  return found;
}

std::string Read(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be opened");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

YAML::Node FindMutant(const std::string& path, const std::string& name) {
  for (const YAML::Node& mutant : YAML::LoadFile(path)) {
    if (mutant["name"].as<std::string>() == name) return mutant;
  }
  throw std::runtime_error(path + ": no mutant is called " + name);
}

void Mutate(const std::string& yaml, const std::string& name, const std::filesystem::path& root,
            const std::filesystem::path& output) {
  std::map<std::string, std::string> changed;
  for (const YAML::Node& change : FindMutant(yaml, name)["changes"]) {
    const auto file = change["file"].as<std::string>();
    if (!changed.contains(file)) changed[file] = Read(root / file);
    std::string& text = changed[file];
    const std::string where = yaml + ": mutant " + name + ": " + file;
    const Passage passage = FindOnly(text, change["find"].as<std::string>(), where);
    text.replace(passage.start, passage.length, change["put"].as<std::string>());
  }
  for (const auto& [file, text] : changed) {
    std::filesystem::create_directories((output / file).parent_path());
    std::ofstream written(output / file);
    written << text;
    if (!written.flush())
      throw std::runtime_error((output / file).string() + ": cannot be written");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: culprit_mutate MUTANTS.yaml NAME SOURCE_ROOT OUTPUT_FOLDER\n";
    return 2;
  }
  try {
    Mutate(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& failure) {
    std::cerr << "culprit_mutate: " << failure.what() << "\n";
    return 1;
  }
  return 0;
}
