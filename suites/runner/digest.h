// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_DIGEST_H_
#define SUITES_RUNNER_DIGEST_H_

#include <string>
#include <string_view>

namespace culprit::suites {

// SHA-256 in lower-case hexadecimal.
std::string Sha256(std::string_view bytes);
// Of a file's content; empty when it cannot be read.
std::string Sha256OfFile(const std::string& path);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_DIGEST_H_
