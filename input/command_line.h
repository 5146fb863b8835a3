// SPDX-License-Identifier: Apache-2.0
//
// What a value on a command line must be. CLI11 reads numbers with the C library, which takes what
// is too large for the largest number; these look at the text first, and say what would do.
#ifndef INPUT_COMMAND_LINE_H_
#define INPUT_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "input/input_error.h"

namespace culprit {

// What `parse` takes without an InputError.
template <typename Parse>
CLI::Validator TakenBy(Parse parse) {
  return CLI::Validator(
      [parse](const std::string& text) -> std::string {
        try {
          parse(text);
          return {};
        } catch (const InputError& error) {
          return error.what();
        }
      },
      "");
}

CLI::Validator WholeNumber(uint64_t least = 0,
                           uint64_t most = std::numeric_limits<uint64_t>::max());
CLI::Validator NumberFrom(double least, double most);
// A path or a name; an empty one is a shell variable that was not set.
CLI::Validator NotEmpty();
// A file that can be read, which a folder cannot.
CLI::Validator ReadableFile();

}  // namespace culprit

#endif  // INPUT_COMMAND_LINE_H_
