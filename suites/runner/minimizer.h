// SPDX-License-Identifier: Apache-2.0
//
// Makes a failing case smaller by running smaller ones: fewest faults first, then threads,
// extractors and frames, and at last the earliest call for each fault. Smaller is only what still
// fails with the same finding and with no other than before.
#ifndef SUITES_RUNNER_MINIMIZER_H_
#define SUITES_RUNNER_MINIMIZER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/case_result.h"
#include "suites/runner/certification.h"

namespace culprit::suites {

class Minimizer {
 public:
  // Runs a case; empty when it could not be run, for instance because its scenario fails without
  // the faults already.
  using Try = std::function<std::optional<CaseResult>(const ReplayRequest&)>;

  struct Limits {
    uint32_t frames = 1;   // of the case as it is; 1: leave them
    uint32_t tries = 400;  // that may be spent
  };

  struct Minimal {
    ReplayRequest request;
    CaseResult result;
    uint32_t tries = 0;
  };

  // `findings` are the ids of the failure, the one to keep first.
  Minimizer(Try run, std::vector<std::string> findings, Limits limits)
      : run_(std::move(run)), findings_(std::move(findings)), limits_(limits) {}

  // Empty when not even the case as it is fails like that again.
  std::optional<Minimal> Run(const ReplayRequest& request);

 private:
  // Whether it fails alike; then it is the best so far.
  bool Accept(const ReplayRequest& smaller);
  // The same with each fault at another call: with less going on before it, its number changes.
  bool AcceptElsewhere(ReplayRequest smaller);
  void DropFaults();
  void DropThreads();
  void DropExtractors();
  void DropFrames();
  void SimplifyCaller();
  void MoveFaultsForward();

  Try run_;
  std::vector<std::string> findings_;
  Limits limits_;
  Minimal best_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_MINIMIZER_H_
