// SPDX-License-Identifier: Apache-2.0
//
// Which compilation of lanes/ this processor gets.
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "fakedriver/exec/decode/lowering.h"

namespace culprit::exec {

// Which there are is said by the build.
namespace avx512 {
extern const LoweringTable kLoweringTable;
}
namespace avx2 {
extern const LoweringTable kLoweringTable;
}
namespace portable {
extern const LoweringTable kLoweringTable;
}

// Best first.
std::vector<std::pair<const char*, const LoweringTable*>> LoweringTables() {
  std::vector<std::pair<const char*, const LoweringTable*>> tables;
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
#if defined(CULPRIT_HAS_AVX512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma")) {
    tables.emplace_back("avx512", &avx512::kLoweringTable);
  }
#endif
#if defined(CULPRIT_HAS_AVX2)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    tables.emplace_back("avx2", &avx2::kLoweringTable);
  }
#endif
#if defined(CULPRIT_HAS_PORTABLE)
  tables.emplace_back("portable", &portable::kLoweringTable);
#endif
  return tables;
}

const LoweringTable& BestLoweringTable() {
  static const LoweringTable* const best = [] {
    auto tables = LoweringTables();
    const char* wanted = std::getenv("CULPRIT_EXEC_ISA");
    for (const auto& [name, table] : tables) {
      if (wanted != nullptr && std::strcmp(wanted, name) == 0) return table;
    }
    return tables.front().second;
  }();
  return *best;
}

}  // namespace culprit::exec
