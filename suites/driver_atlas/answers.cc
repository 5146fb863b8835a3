// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/answers.h"

#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <set>

#include "suites/driver_atlas/driver.h"

namespace culprit::atlas {
namespace {

std::string KeyOf(const std::string& line) {
  const size_t first = line.find('|');
  const size_t second = line.find('|', first + 1);
  return second == std::string::npos ? line : line.substr(0, second);
}

std::string ScenarioOf(const std::string& line) { return line.substr(0, line.find('|')); }

bool ProcessEnded(const std::string& line) {
  return line.find("|--|process|") != std::string::npos;
}

}  // namespace

std::string DeviceName() {
  int fds[2];
  if (pipe(fds) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    char name[128] = "";
    if (ATLAS_DRIVER(cuInit)(0) == CUDA_SUCCESS)
      ATLAS_DRIVER(cuDeviceGetName)(name, sizeof(name), 0);
    _exit(write(fds[1], name, std::char_traits<char>::length(name)) < 0);
  }
  close(fds[1]);
  char buffer[128] = "";
  const ssize_t n = read(fds[0], buffer, sizeof(buffer) - 1);
  close(fds[0]);
  waitpid(child, nullptr, 0);
  return n > 0 ? std::string(buffer, static_cast<size_t>(n)) : "";
}

std::map<std::string, std::string> AboutDriver() {
  int version = 0;
  if (auto entry = ATLAS_DRIVER(cuDriverGetVersion)) entry(&version);
  char today[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(today, sizeof(today), "%Y-%m-%d", std::gmtime(&now));
  std::map<std::string, std::string> about = {
      {"cuda", std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)},
      {"device", DeviceName()},
      {"date", today},
  };
  std::ifstream proc("/proc/driver/nvidia/version");
  if (std::string line; std::getline(proc, line)) about["driver"] = line;
  return about;
}

bool WriteAnswers(const std::string& path, const Answers& answers, std::string* error) {
  std::ofstream file(path, std::ios::binary);
  file << "# SPDX-License-Identifier: Apache-2.0\n";
  for (const auto& [key, value] : answers.about) file << "# " << key << ": " << value << "\n";
  for (const std::string& line : answers.lines) file << line << "\n";
  file.close();
  if (!file) *error = path + ": cannot be written";
  return static_cast<bool>(file);
}

bool ReadAnswers(const std::string& path, Answers* answers, std::string* error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    *error = path + ":0: cannot be read";
    return false;
  }
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.rfind("# ", 0) == 0) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos)
        answers->about[line.substr(2, colon - 2)] = line.substr(colon + 2);
    } else if (!line.empty()) {
      if (line.find('|') == std::string::npos) {
        *error = path + ":" + std::to_string(number) +
                 ": an answer has the form scenario|step|text|result|values";
        return false;
      }
      answers->lines.push_back(line);
    }
  }
  return true;
}

bool ReadKnownDifferences(const std::string& path, std::map<std::string, std::string>* known,
                          std::string* error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    *error = path + ":0: cannot be read";
    return false;
  }
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::string key = KeyOf(line);
    if (key.size() + 1 >= line.size()) {
      *error = path + ":" + std::to_string(number) +
               ": a known difference has the form scenario|step|reason";
      return false;
    }
    (*known)[key] = line.substr(key.size() + 1);
  }
  return true;
}

std::vector<AnswerDifference> CompareAnswers(const std::vector<std::string>& expected,
                                             const std::vector<std::string>& got,
                                             size_t* compared) {
  std::map<std::string, std::string> by_key;
  for (const std::string& line : got) by_key[KeyOf(line)] = line;
  std::vector<AnswerDifference> differences;
  *compared = 0;
  for (const std::string& line : expected) {
    if (ProcessEnded(line)) continue;
    ++*compared;
    const auto found = by_key.find(KeyOf(line));
    const std::string answer = found == by_key.end() ? "" : found->second;
    if (answer != line) differences.push_back({KeyOf(line), line, answer});
  }
  // A process that ends by itself is a difference unless the recorded one ended there too.
  std::set<std::string> ended;
  for (const std::string& line : expected) {
    if (ProcessEnded(line)) ended.insert(ScenarioOf(line));
  }
  for (const std::string& line : got) {
    if (ProcessEnded(line) && ended.count(ScenarioOf(line)) == 0)
      differences.push_back({KeyOf(line), "", line});
  }
  return differences;
}

}  // namespace culprit::atlas
