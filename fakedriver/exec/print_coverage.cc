// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/ptx-coverage.md from the table of opcodes. With a file name it compares instead: exit
// status 1 and a hint when the document is out of date.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "fakedriver/exec/reader/opcode.h"

namespace {

using culprit::exec::Info;
using culprit::exec::Opcode;
using culprit::exec::OpcodeInfo;

std::string Document() {
  std::ostringstream out;
  out << "# PTX instructions\n\n"
         "Printed by `exec_print_coverage` from `fakedriver/exec/opcodes.def`, the table that the "
         "reader and the machine are\n"
         "built from. A word in the modifiers may stand for several: *space* for the state spaces, "
         "*order* for memory order and\n"
         "scope, *cache* for cache hints, *round* for the four rounding modes, *compare* for all "
         "comparisons. Single forms that\n"
         "are missing are in `docs/limitations.md`; a kernel that needs one faults with the "
         "instruction and its line.\n\n"
         "## Run\n\n| instruction | types | modifiers |\n| --- | --- | --- |\n";
  size_t run = 0;
  size_t refused = 0;
  std::ostringstream missing;
  for (size_t n = 0; n < static_cast<size_t>(Opcode::kCount); ++n) {
    const OpcodeInfo& info = Info(static_cast<Opcode>(n));
    if (info.unsupported.empty()) {
      ++run;
      out << "| `" << info.mnemonic << "` | " << info.types << " | " << info.modifiers << " |\n";
    } else {
      ++refused;
      missing << "| `" << info.mnemonic << "` | " << info.unsupported << " |\n";
    }
  }
  out << "\n## Recognised, not run\n\n| instruction | belongs to |\n| --- | --- |\n"
      << missing.str() << "\n"
      << run << " instructions run, " << refused << " are recognised and refused.\n";
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cout << Document();
    return 0;
  }
  std::ifstream file(argv[1]);
  std::ostringstream text;
  text << file.rdbuf();
  if (text.str() == Document()) return 0;
  std::cerr << argv[1] << " is out of date; write it again with: " << argv[0] << " > " << argv[1]
            << "\n";
  return 1;
}
