// SPDX-License-Identifier: Apache-2.0
// FNV-1a, 64 bits: stable across machines and versions, which fingerprints and the cache need; it
// guards against nothing else.
#ifndef CULPRIT_INVENTORY_SCAN_HASH_H_
#define CULPRIT_INVENTORY_SCAN_HASH_H_

#include <cstdint>
#include <string_view>

namespace culprit::inventory {

constexpr uint64_t HashOf(std::string_view bytes, uint64_t seed = 14695981039346656037ull) {
  uint64_t hash = seed;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 1099511628211ull;
  }
  return hash;
}

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_HASH_H_
