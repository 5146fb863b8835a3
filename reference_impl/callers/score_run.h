// SPDX-License-Identifier: Apache-2.0
//
// The command-line caller: scores one clip in one life cycle of a port.
//
// What the session borrows, the state among it, is kept until close has returned exactly zero; a
// close that failed is repeated.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_RUN_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_RUN_H_

#include <functional>
#include <map>
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
  std::vector<std::string> extractors;
  std::vector<std::pair<std::string, std::string>> options;  // for every extractor
};

// The next frame pair; `*end` after the last one.
using FrameSource = std::function<Status(FrameView* reference, FrameView* distorted, bool* end)>;

// By key, then by frame.
using Scores = std::map<std::string, std::vector<double>>;

class ScoreRun {
 public:
  static constexpr int kCloseAttempts = 3;

  explicit ScoreRun(const culprit_port& port) : port_(port) {}

  // The first failure; everything is given back whatever happened, as far as kCloseAttempts go.
  FirstFailure Run(const ScoreRequest& request, const FrameSource& source, Scores* scores);

 private:
  bool Start(const ScoreRequest& request);
  bool SubmitAll(const ScoreRequest& request, const FrameSource& source);
  bool SubmitFrames(const FrameView& reference, const FrameView& distorted);
  bool SubmitFetched(const FrameView& reference, const FrameView& distorted);
  bool ReadScores(Scores* scores);
  void Finish();

  const culprit_port& port_;
  FirstFailure first_;
  culprit_state* state_ = nullptr;
  culprit_session* session_ = nullptr;
  uint32_t frames_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_RUN_H_
