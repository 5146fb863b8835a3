// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_CERTIFY_COMMAND_H_
#define TOOLS_CULPRIT_CERTIFY_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/culprit/installation.h"

namespace culprit::tools {

struct CertifyOptions {
  std::string port;
  std::vector<std::string> suites;  // names or files; empty: all that are installed
  std::vector<std::string> profiles;
  std::vector<std::string> policies;
  bool real = false;  // on this machine's driver, through the interposer
  std::string report = "report";
  std::string shard = "1/1";  // i/n, i from 1
  uint64_t seed = 1;
  uint32_t minimize = 10;             // kinds of failure to look for smaller cases of
  uint32_t jobs = 0;                  // 0: one a processor
  std::string stop_at;                // id of a finding that ends the run
  std::string singles = "plan";       // "all": every sweep takes the whole fault space
  bool pairs = false;                 // every sweep goes on to pairs
  bool compute_every_launch = false;  // of kernels, also when its inputs were seen before
  std::string expectations;           // an expectations file; empty: nothing is expected
  std::string signing_key;            // PEM file of an Ed25519 key; empty: not signed
  bool json = false;
};

// Runs the suites on the port, prints the table and the findings, and writes the report. kFine only
// when certified.
int RunCertify(const Installation& installation, const CertifyOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_CERTIFY_COMMAND_H_
