// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_INPUT_ERROR_H_
#define INPUT_INPUT_ERROR_H_

#include <stdexcept>

namespace culprit {

// Something that the user handed in is wrong: an argument, a file, a port. what() is one sentence
// that names it, the line where there is one, and the rule that it breaks:
// "mine.yaml:12:5: unknown key 'nam'; a scenario has: name, steps". Commands print it and end with
// the exit code that means wrong usage.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace culprit

#endif  // INPUT_INPUT_ERROR_H_
