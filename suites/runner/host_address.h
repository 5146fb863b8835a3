// SPDX-License-Identifier: Apache-2.0
//
// Device pointers and handles of the fake are the same in every run, and so are reports; addresses
// of host memory are not, and must not stand in one.
#ifndef SUITES_RUNNER_HOST_ADDRESS_H_
#define SUITES_RUNNER_HOST_ADDRESS_H_

#include <cstdint>
#include <cstdlib>
#include <string>

namespace culprit::suites {

// Of a handle, pointer or address as traces and findings write it: "0x7ffcc2bf6668".
inline bool IsHostAddress(const std::string& text) {
  constexpr uint64_t kFirstHostAddress = 0x500000000000;
  return text.starts_with("0x") && std::strtoull(text.c_str(), nullptr, 16) >= kFirstHostAddress;
}

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_HOST_ADDRESS_H_
