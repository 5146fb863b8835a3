// SPDX-License-Identifier: Apache-2.0
// A call sequence as text: what both the hand-written scenarios and the random ones are.
//
//   scenario memory/free_twice        a name, unique over all files
//   init                              every line is an operation (operations.h) with its operands
//   cuMemAlloc p 1000                 an out operand is the name of the slot that receives the
//   value cuMemFree p+4                     slots, numbers (decimal, 0x), offsets, nil, legacy,
//   perthread, "text"
//   @t1 cuCtxGetCurrent c             on another thread: t1, t2, ... live as long as the scenario
//   @process1 import_memory p 0 1     in another process, forked before the first step, with slots
//                                     of its own
//   # comment
#ifndef SUITES_DRIVER_ATLAS_SEQUENCE_H_
#define SUITES_DRIVER_ATLAS_SEQUENCE_H_

#include <string>
#include <string_view>
#include <vector>

namespace culprit::atlas {

struct Step {
  int line = 0;
  std::string thread;  // empty: the scenario's main thread
  std::string operation;
  std::vector<std::string> operands;

  std::string Text() const;
};

struct Sequence {
  std::string name;
  std::vector<Step> steps;

  std::string Text() const;
};

struct ParseResult {
  std::vector<Sequence> sequences;
  std::string error;  // "file:line: rule", empty on success
};

// Parses one file. Operations and operand counts are checked against the operation table.
ParseResult ParseSequences(std::string_view text, const std::string& file);
ParseResult LoadSequences(const std::string& path);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_SEQUENCE_H_
