// SPDX-License-Identifier: Apache-2.0
//
// One life cycle of a port from the caller's side, and the caller's part of the contract: whatever
// the session borrows is kept until close has returned exactly zero. A close that failed leaves
// everything in place and is repeated.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_SCORING_CYCLE_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_SCORING_CYCLE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference_impl/callers/caller_status.h"
#include "reference_impl/framework/frame.h"
#include "suites/culprit_port.h"

namespace culprit::reference {

struct ScoreRequest {
  Geometry geometry;
  uint32_t threads = 0;
  uint32_t preallocate = 0;  // pictures of the ring; 0: submit frames from host memory
  bool device = true;        // make and import a device state
  void* context = nullptr;   // of the caller, for the state; null: the port retains its own
  std::vector<std::string> extractors;
  std::vector<std::pair<std::string, std::string>> options;  // for every extractor
};

// By key, then by frame.
using Scores = std::map<std::string, std::vector<double>>;

class ScoringCycle {
 public:
  explicit ScoringCycle(const culprit_port& port) : port_(port) {}

  // What the session borrows for its life: models, the source of the frames.
  void Lend(std::shared_ptr<const void> borrowed) { lent_.push_back(std::move(borrowed)); }

  // Each is false after a failure, which first() tells.
  bool Start(const ScoreRequest& request);
  bool Submit(const FrameView& reference, const FrameView& distorted);
  bool Flush();
  bool ReadScores(Scores* scores);

  // Closes and frees. The failure of this attempt: something is left then, and everything borrowed
  // is still kept; call it again.
  FirstFailure Finish();
  bool finished() const { return session_ == nullptr && state_ == nullptr; }

  void Note(const std::string& step, const culprit_status& status) { first_.Note(step, status); }
  const FirstFailure& first() const { return first_; }
  uint32_t frames() const { return frames_; }

 private:
  bool SubmitFetched(const culprit_frame& reference, const culprit_frame& distorted);

  const culprit_port& port_;
  FirstFailure first_;
  culprit_state* state_ = nullptr;
  culprit_session* session_ = nullptr;
  std::vector<std::shared_ptr<const void>> lent_;
  bool fetches_ = false;
  uint32_t frames_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_SCORING_CYCLE_H_
