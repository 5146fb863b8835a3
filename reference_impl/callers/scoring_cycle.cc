// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/scoring_cycle.h"

#include <cmath>

namespace culprit::reference {
namespace {

culprit_frame FrameOf(const FrameView& view) {
  culprit_frame frame{};
  frame.size = sizeof frame;
  frame.width = view.geometry.width;
  frame.height = view.geometry.height;
  frame.bits = view.geometry.bits;
  frame.format = static_cast<uint32_t>(view.geometry.format);
  frame.planes = view.geometry.planes();
  for (uint32_t plane = 0; plane < frame.planes; ++plane) {
    frame.data[plane] = view.data[plane];
    frame.stride[plane] = view.stride[plane];
  }
  return frame;
}

culprit_config ConfigOf(const ScoreRequest& request) {
  culprit_config config{};
  config.size = sizeof config;
  config.width = request.geometry.width;
  config.height = request.geometry.height;
  config.bits = request.geometry.bits;
  config.format = static_cast<uint32_t>(request.geometry.format);
  config.threads = request.threads;
  return config;
}

}  // namespace

bool ScoringCycle::Start(const ScoreRequest& request) {
  culprit_status status = EmptyStatus();
  if (request.device) {
    port_.state_init(request.context, &state_, &status);
    if (!first_.Note("state init", status)) return false;
  }
  const culprit_config config = ConfigOf(request);
  port_.open(&config, &session_, &status);
  if (!first_.Note("open", status)) return false;
  std::vector<culprit_option> options;
  for (const auto& [key, value] : request.options) options.push_back({key.c_str(), value.c_str()});
  for (const std::string& name : request.extractors) {
    port_.use_extractor(session_, name.c_str(), options.data(),
                        static_cast<uint32_t>(options.size()), &status);
    if (!first_.Note("use " + name, status)) return false;
  }
  if (request.device) {
    port_.import_state(session_, state_, &status);
    if (!first_.Note("import", status)) return false;
  }
  fetches_ = request.preallocate > 0;
  if (!fetches_) return true;
  port_.preallocate(session_, request.preallocate, &status);
  return first_.Note("preallocate", status);
}

bool ScoringCycle::Submit(const FrameView& reference, const FrameView& distorted) {
  const culprit_frame first = FrameOf(reference);
  const culprit_frame second = FrameOf(distorted);
  if (fetches_) {
    if (!SubmitFetched(first, second)) return false;
  } else {
    culprit_status status = EmptyStatus();
    port_.submit(session_, &first, &second, frames_, &status);
    if (!first_.Note("submit of frame " + std::to_string(frames_), status)) return false;
  }
  ++frames_;
  return true;
}

bool ScoringCycle::SubmitFetched(const culprit_frame& reference, const culprit_frame& distorted) {
  const std::string frame = " of frame " + std::to_string(frames_);
  culprit_picture* first = nullptr;
  culprit_picture* second = nullptr;
  culprit_status status = EmptyStatus();
  port_.fetch(session_, &reference, &first, &status);
  if (!first_.Note("fetch" + frame, status)) return false;
  port_.fetch(session_, &distorted, &second, &status);
  if (!first_.Note("fetch" + frame, status)) return false;
  port_.submit_pictures(session_, first, second, frames_, &status);
  return first_.Note("submit" + frame, status);
}

bool ScoringCycle::Flush() {
  culprit_status status = EmptyStatus();
  port_.flush(session_, &status);
  return first_.Note("flush", status);
}

bool ScoringCycle::ReadScores(Scores* scores) {
  for (uint32_t i = 0;; ++i) {
    const char* key = port_.score_key(session_, i);
    if (key == nullptr) return true;
    std::vector<double>& values = (*scores)[key];
    for (uint32_t frame = 0; frame < frames_; ++frame) {
      culprit_status status = EmptyStatus();
      double value = NAN;
      port_.score(session_, key, frame, &value, &status);
      if (!first_.Note("score of frame " + std::to_string(frame), status)) return false;
      values.push_back(value);
    }
  }
}

FirstFailure ScoringCycle::Finish() {
  FirstFailure attempt;
  culprit_status status = EmptyStatus();
  if (session_ != nullptr) {
    port_.close(&session_, &status);
    attempt.Note("close", status);
  }
  if (session_ == nullptr && state_ != nullptr) {
    port_.state_free(&state_, &status);
    attempt.Note("state free", status);
  }
  if (finished()) lent_.clear();
  if (attempt.failed()) first_.Note("end", attempt.status());
  return attempt;
}

}  // namespace culprit::reference
