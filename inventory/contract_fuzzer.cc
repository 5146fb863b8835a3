// SPDX-License-Identifier: Apache-2.0
// Any bytes as a contract and as a baseline: a result, or an InputError with a message.
#include <cstddef>
#include <cstdint>
#include <string>

#include "inventory/contract/contract_reader.h"
#include "inventory/suppress/baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    culprit::inventory::ParseContract(text, "inventory.toml");
  } catch (const culprit::inventory::InputError& error) {
    if (error.what()[0] == '\0') __builtin_trap();
  }
  try {
    culprit::inventory::ParseBaseline(text, "baseline.json");
  } catch (const culprit::inventory::InputError& error) {
    if (error.what()[0] == '\0') __builtin_trap();
  }
  return 0;
}
