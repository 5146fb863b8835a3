// SPDX-License-Identifier: Apache-2.0
// What a device answered to many random sequences, as one short digest for each: small enough to be
// kept, so that every build is held against all of them without the device.
//
// A file of digests is text: "# culprit-atlas digests", "# steps 24 contexts 0", "# driver ...",
// then for each run of seeds a line "seeds 400001 7300" and six hexadecimal digits a seed, twenty
// seeds a line; "------" for a sequence in which the process ended that asked. Of a sequence that a digest refuses, the step is found by asking a device again
// (`culprit-atlas sample --first SEED --count 1`).
#ifndef SUITES_DRIVER_ATLAS_DIGESTS_H_
#define SUITES_DRIVER_ATLAS_DIGESTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace culprit::atlas {

struct DigestComparison {
  uint64_t compared = 0;
  uint64_t unanswered = 0;
  std::vector<uint64_t> differing;  // seeds
};

// Of files of samples, to standard output. On a malformed file false, with file, line and rule in
// `error`.
bool PrintDigests(const std::vector<std::string>& samples, std::string* error);

// Asks `library` the sequences of a file of digests. On a malformed file false, likewise.
bool CompareDigests(const std::string& path, const std::string& library, DigestComparison* result,
                    std::string* error);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_DIGESTS_H_
