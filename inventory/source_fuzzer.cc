// SPDX-License-Identifier: Apache-2.0
// Any bytes as a source file, through every rule and every report: no crash, no hang, and offsets
// that stay inside the file. The first byte chooses the language.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"
#include "inventory/report/machine.h"
#include "inventory/report/patch.h"
#include "inventory/report/sarif.h"
#include "inventory/report/terminal.h"
#include "inventory/testing/example_contract.h"

namespace {

using namespace culprit::inventory;  // NOLINT(google-build-using-namespace): one translation unit,
                                     // one subject

void Require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Contract contract = ParseContract(kExampleContract, "inventory.toml");
  if (size == 0) return 0;
  const char* paths[] = {"a.c", "a.cc", "a.cu"};
  const char* path = paths[data[0] % 3];
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Tree tree;
  tree.sources.emplace_back(path, text, *LanguageOf(path));
  tree.build_files.emplace_back("Makefile", text, Language::kC);
  const Report report = CheckTree(tree, contract);
  for (const Finding& finding : report.findings) {
    Require(finding.where.begin.line >= 1);
    Require(!finding.fix ||
            (finding.fix->begin <= finding.fix->end && finding.fix->end <= text.size()));
  }
  std::ostringstream out;
  WriteTerminal(report, {true, true}, out);
  WriteJunit(report, out);
  WriteGithub(report, out);
  out << ToSarif(report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  out << ToJson(report, contract).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  out << PatchOf(report, tree);
  return 0;
}
