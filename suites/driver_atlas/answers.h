// SPDX-License-Identifier: Apache-2.0
// Recorded answers: a text file whose first lines ("# key: value") say which driver and device gave
// them and when.
#ifndef SUITES_DRIVER_ATLAS_ANSWERS_H_
#define SUITES_DRIVER_ATLAS_ANSWERS_H_

#include <map>
#include <string>
#include <vector>

namespace culprit::atlas {

struct Answers {
  std::map<std::string, std::string> about;
  std::vector<std::string> lines;
};

struct AnswerDifference {
  std::string key;  // "scenario|step"
  std::string expected, got;
};

// What the opened driver says of itself: path, version, device, and today's date.
std::map<std::string, std::string> AboutDriver();

// Differences that are known, by "scenario|step", each with its reason: a file of lines
// "scenario|step|reason". False: *error says "file:line: rule".
bool ReadKnownDifferences(const std::string& path, std::map<std::string, std::string>* known,
                          std::string* error);

// The first device's name, asked for in a process of its own; empty without a device.
std::string DeviceName();

bool WriteAnswers(const std::string& path, const Answers& answers, std::string* error);
bool ReadAnswers(const std::string& path, Answers* answers, std::string* error);

// A recorded line that ends in SIGNAL or TIMEOUT marks the scenario's remaining steps as undefined:
// they are not compared.
std::vector<AnswerDifference> CompareAnswers(const std::vector<std::string>& expected,
                                             const std::vector<std::string>& got, size_t* compared);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_ANSWERS_H_
