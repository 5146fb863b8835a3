// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/sequence.h"

#include <fstream>
#include <set>
#include <sstream>

#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

// Splits at blanks; a quoted text is one word and keeps its quotes.
bool SplitWords(const std::string& line, std::vector<std::string>* words) {
  size_t i = 0;
  while (i < line.size()) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    if (line[i] == '#') break;
    const size_t start = i;
    if (line[i] == '"') {
      const size_t end = line.find('"', i + 1);
      if (end == std::string::npos) return false;
      i = end + 1;
    } else {
      while (i < line.size() && line[i] != ' ' && line[i] != '\t') ++i;
    }
    words->push_back(line.substr(start, i - start));
  }
  return true;
}

std::string CheckStep(const Step& step) {
  const Operation* operation = FindOperation(step.operation);
  if (operation == nullptr) return "unknown operation '" + step.operation + "'";
  const size_t expected = operation->operands.size();
  if (step.operands.size() != expected) {
    return step.operation + " takes " + std::to_string(expected) + " operands (" +
           operation->signature + "), not " + std::to_string(step.operands.size());
  }
  return "";
}

}  // namespace

std::string Step::Text() const {
  std::string text = thread.empty() ? operation : "@" + thread + " " + operation;
  for (const std::string& operand : operands) text += " " + operand;
  return text;
}

std::string Sequence::Text() const {
  std::string text = "scenario " + name + "\n";
  for (const Step& step : steps) text += step.Text() + "\n";
  return text;
}

ParseResult ParseSequences(std::string_view text, const std::string& file) {
  ParseResult result;
  std::set<std::string> names;
  std::istringstream input{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(input, line); ++number) {
    auto fail = [&](const std::string& rule) {
      result.error = file + ":" + std::to_string(number) + ": " + rule;
      return result;
    };
    std::vector<std::string> words;
    if (!SplitWords(line, &words)) return fail("unterminated text: missing '\"'");
    if (words.empty()) continue;
    if (words[0] == "scenario") {
      if (words.size() != 2) return fail("'scenario' takes one name");
      if (!names.insert(words[1]).second)
        return fail("scenario '" + words[1] + "' is already defined");
      result.sequences.push_back({words[1], {}});
      continue;
    }
    if (result.sequences.empty()) return fail("a step before the first 'scenario'");
    Step step;
    step.line = number;
    if (words[0][0] == '@') {
      step.thread = words[0].substr(1);
      words.erase(words.begin());
      if (step.thread.empty() || words.empty())
        return fail("'@thread' is followed by an operation");
    }
    step.operation = words[0];
    step.operands.assign(words.begin() + 1, words.end());
    if (std::string rule = CheckStep(step); !rule.empty()) return fail(rule);
    result.sequences.back().steps.push_back(std::move(step));
  }
  if (result.sequences.empty()) result.error = file + ":1: no scenario in this file";
  return result;
}

ParseResult LoadSequences(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {{}, path + ":0: cannot be read"};
  std::ostringstream text;
  text << file.rdbuf();
  return ParseSequences(text.str(), path);
}

}  // namespace culprit::atlas
