// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SUITE_ERROR_H_
#define SUITES_RUNNER_SUITE_ERROR_H_

#include <string>
#include <utility>

#include "input/input_error.h"

namespace culprit::suites {

// A place in a file, counted from 1; line 0 means the file as a whole.
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;

  std::string Text() const {
    return line == 0 ? file : file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
};

// Input that breaks a rule of its format. what() is one line that a reader can act on:
// "suites/close.yaml:12:5: unknown key 'thread', a step has: frames, ...".
class SuiteError : public InputError {
 public:
  SuiteError(SourcePosition where, const std::string& rule)
      : InputError(where.Text() + ": " + rule), where_(std::move(where)) {}
  const SourcePosition& where() const { return where_; }

 private:
  SourcePosition where_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SUITE_ERROR_H_
