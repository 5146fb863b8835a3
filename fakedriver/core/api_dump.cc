// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/api/README.md: every entry of the table, with what the fake does for it. Run by the
// target `api_docs`; a test compares the page with the table.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "fakedriver/core/api.h"

namespace {

using culprit::fakedriver::ApiInfo;
using culprit::fakedriver::kApis;
using culprit::fakedriver::Variant;

struct Count {
  int modelled = 0;
  int all = 0;
};

std::string Version(int since) {
  if (since == 0) return "";
  return std::to_string(since / 1000) + "." + std::to_string(since % 1000 / 10);
}

void PrintFamily(const std::string& family, const std::vector<const ApiInfo*>& rows) {
  std::printf("\n## %s\n\n| entry | since | effect | needs | |\n| --- | --- | --- | --- | --- |\n",
              family.c_str());
  for (const ApiInfo* row : rows) {
    std::printf("| `%s` | %s | %s | %s | %s |\n", row->symbol, Version(row->since).c_str(),
                culprit::fakedriver::EffectName(row->effect),
                culprit::fakedriver::NeedsName(row->needs),
                row->modelled ? "modelled" : "not modelled");
  }
}

}  // namespace

int main() {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const ApiInfo*>> families;
  std::map<std::string, Count> counts;
  Count total;
  for (const ApiInfo& row : kApis) {
    if (row.variant != Variant::kLegacy) continue;  // per-thread variants are as their base
    const std::string family = culprit::fakedriver::FamilyName(row.family);
    if (!families.contains(family)) order.push_back(family);
    families[family].push_back(&row);
    for (Count* count : {&counts[family], &total}) {
      ++count->all;
      count->modelled += row.modelled;
    }
  }
  std::printf(
      "# Entries of the driver\n\n"
      "Printed from the table (`fakedriver/abi/driver_api.def`) by the target `api_docs`. Every "
      "entry is exported, and found by\n"
      "`cuGetProcAddress` from the version in the column *since*. An entry that is not modelled "
      "records itself and answers\n"
      "`CUDA_ERROR_NOT_SUPPORTED`. Per-thread default stream variants (`_ptds`, `_ptsz`) are as "
      "their base and not listed.\n\n"
      "Modelled: %d of %d entries.\n\n| family | modelled | entries |\n| --- | --- | --- |\n",
      total.modelled, total.all);
  for (const std::string& family : order) {
    std::printf("| [%s](#%s) | %d | %d |\n", family.c_str(), family.c_str(),
                counts[family].modelled, counts[family].all);
  }
  for (const std::string& family : order) PrintFamily(family, families[family]);
  return 0;
}
