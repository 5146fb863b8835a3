// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_VERIFY_COMMAND_H_
#define TOOLS_CULPRIT_VERIFY_COMMAND_H_

#include <cstdint>
#include <string>

#include "tools/culprit/installation.h"

namespace culprit::tools {

struct VerifyOptions {
  std::string certificate;
  std::string public_key;  // PEM file; empty: whether it is signed does not matter
  std::string rerun;       // "k%": run this share of the cases again; empty: none
  uint64_t seed = 1;       // of the sample
  bool json = false;
};

// Computes the certificate again from its raw results and refuses it when anything is missing or
// does not follow. kFine only for a valid certificate, whatever its verdict. Throws
// InputError when the certificate is none, or the key.
int RunVerify(const Installation& installation, const VerifyOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_VERIFY_COMMAND_H_
