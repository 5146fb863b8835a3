// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/score_run.h"

#include <cmath>
#include <cstdio>

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

culprit_status SourceFailure(const Status& status) {
  culprit_status failure = EmptyStatus();
  failure.error = status.code();
  failure.domain = CULPRIT_DOMAIN_HOST;
  std::snprintf(failure.message, sizeof failure.message, "%s", status.error().message.c_str());
  return failure;
}

}  // namespace

FirstFailure ScoreRun::Run(const ScoreRequest& request, const FrameSource& source, Scores* scores) {
  if (Start(request) && SubmitAll(request, source)) {
    culprit_status status = EmptyStatus();
    port_.flush(session_, &status);
    if (first_.Note("flush", status)) ReadScores(scores);
  }
  Finish();
  return first_;
}

bool ScoreRun::Start(const ScoreRequest& request) {
  culprit_status status = EmptyStatus();
  if (request.device) {
    port_.state_init(nullptr, &state_, &status);
    if (!first_.Note("state init", status)) return false;
  }
  culprit_config config{};
  config.size = sizeof config;
  config.width = request.geometry.width;
  config.height = request.geometry.height;
  config.bits = request.geometry.bits;
  config.format = static_cast<uint32_t>(request.geometry.format);
  config.threads = request.threads;
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
  if (request.preallocate > 0) {
    port_.preallocate(session_, request.preallocate, &status);
    if (!first_.Note("preallocate", status)) return false;
  }
  return true;
}

bool ScoreRun::SubmitAll(const ScoreRequest& request, const FrameSource& source) {
  while (true) {
    FrameView reference;
    FrameView distorted;
    bool end = false;
    Status read = source(&reference, &distorted, &end);
    if (!read.ok())
      return first_.Note("reading frame " + std::to_string(frames_), SourceFailure(read));
    if (end) return true;
    const bool submitted = request.preallocate > 0 ? SubmitFetched(reference, distorted)
                                                   : SubmitFrames(reference, distorted);
    if (!submitted) return false;
    ++frames_;
  }
}

bool ScoreRun::SubmitFrames(const FrameView& reference, const FrameView& distorted) {
  const culprit_frame first = FrameOf(reference);
  const culprit_frame second = FrameOf(distorted);
  culprit_status status = EmptyStatus();
  port_.submit(session_, &first, &second, frames_, &status);
  return first_.Note("submit of frame " + std::to_string(frames_), status);
}

bool ScoreRun::SubmitFetched(const FrameView& reference, const FrameView& distorted) {
  const std::string frame = " of frame " + std::to_string(frames_);
  culprit_picture* pictures[2] = {};
  culprit_status status = EmptyStatus();
  const FrameView* views[2] = {&reference, &distorted};
  for (int i = 0; i < 2; ++i) {
    const culprit_frame filled = FrameOf(*views[i]);
    port_.fetch(session_, &filled, &pictures[i], &status);
    if (!first_.Note("fetch" + frame, status)) return false;
  }
  port_.submit_pictures(session_, pictures[0], pictures[1], frames_, &status);
  return first_.Note("submit" + frame, status);
}

bool ScoreRun::ReadScores(Scores* scores) {
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

void ScoreRun::Finish() {
  culprit_status status = EmptyStatus();
  for (int attempt = 0; session_ != nullptr && attempt < kCloseAttempts; ++attempt) {
    port_.close(&session_, &status);
    first_.Note("close", status);
  }
  if (session_ != nullptr) return;  // still borrows the state
  for (int attempt = 0; state_ != nullptr && attempt < kCloseAttempts; ++attempt) {
    port_.state_free(&state_, &status);
    first_.Note("state free", status);
  }
}

}  // namespace culprit::reference
