// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_CONTRACT_CONTRACT_READER_H_
#define CULPRIT_INVENTORY_CONTRACT_CONTRACT_READER_H_

#include <string>
#include <string_view>

#include "input/input_error.h"
#include "inventory/contract/contract.h"

namespace culprit::inventory {

// Throws InputError naming file, line, column and the rule broken. `path` is used for messages
// only.
Contract ParseContract(std::string_view text, const std::string& path);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CONTRACT_CONTRACT_READER_H_
