// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_DIGEST_H_
#define SUITES_RUNNER_DIGEST_H_

#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace culprit::suites {

// SHA-256 of what is added, piece by piece.
class Sha256Sum {
 public:
  Sha256Sum();
  ~Sha256Sum();
  Sha256Sum(const Sha256Sum&) = delete;
  Sha256Sum& operator=(const Sha256Sum&) = delete;
  void Add(std::string_view bytes);
  std::string Finish();  // in lower-case hexadecimal; once

 private:
  evp_md_ctx_st* context_;
};

// SHA-256 in lower-case hexadecimal.
std::string Sha256(std::string_view bytes);
// Of a file's content. Throws InputError when it cannot be read.
std::string Sha256OfFile(const std::string& path);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_DIGEST_H_
