// SPDX-License-Identifier: Apache-2.0
// Any bytes as a contract, a baseline and a record of runs: a result, or an InputError that names
// the file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "inventory/contract/contract_reader.h"
#include "inventory/runs/run_sites.h"
#include "inventory/suppress/baseline.h"

namespace {

template <typename Parse>
void ParsesOrExplains(const std::string& text, const std::string& path, Parse parse) {
  try {
    parse(text, path);
  } catch (const culprit::InputError& error) {
    if (!std::string(error.what()).starts_with(path + ":")) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ParsesOrExplains(text, "inventory.toml", culprit::inventory::ParseContract);
  ParsesOrExplains(text, "baseline.json", culprit::inventory::ParseBaseline);
  ParsesOrExplains(text, "sites.json", culprit::inventory::ParseRunSites);
  return 0;
}
