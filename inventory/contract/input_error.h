// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_CONTRACT_INPUT_ERROR_H_
#define CULPRIT_INVENTORY_CONTRACT_INPUT_ERROR_H_

#include <stdexcept>
#include <string>

namespace culprit::inventory {

// What is wrong with an input file of the user's: "inventory.toml:12:3: unknown key 'nam' in
// [[helper]]; known: file, name".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CONTRACT_INPUT_ERROR_H_
