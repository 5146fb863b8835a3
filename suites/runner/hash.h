// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_HASH_H_
#define SUITES_RUNNER_HASH_H_

#include <cstdint>
#include <string_view>

namespace culprit::suites {

// FNV-1a over 64 bits: the same on every machine, for digests that results are compared by.
class Hash {
 public:
  Hash& Add(std::string_view bytes) {
    Add(bytes.size());
    for (const char byte : bytes) Mix(static_cast<uint8_t>(byte));
    return *this;
  }
  Hash& Add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) Mix(static_cast<uint8_t>(number >> shift));
    return *this;
  }
  uint64_t value() const { return value_; }

 private:
  void Mix(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }
  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_HASH_H_
