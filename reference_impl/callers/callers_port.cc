// SPDX-License-Identifier: Apache-2.0
//
// The three callers as a subject: each operation is something that happens to one of them. The port
// they call is the reference itself, linked in; what they score is a small generated clip.
//
//   score            the command-line caller: one whole life cycle
//   handle           the long-lived handler: one request; finishes earlier requests whose close
//   failed filter_init, filter_frame, filter_end, filter_uninit
//                    the filter, over a context of the pipeline's own
//   release          the shutdown of all of them; repeatable
#include <cerrno>
#include <utility>

#include "reference_impl/callers/compute_handler.h"
#include "reference_impl/callers/pipeline.h"
#include "reference_impl/callers/score_filter.h"
#include "reference_impl/clip/generated_source.h"
#include "reference_impl/port/operation_table.h"

namespace culprit::reference {
namespace {

constexpr const char* kClip = "k64_2";

class Callers {
 public:
  FirstFailure Score() {
    Scores scores;
    return RunScore(ReferencePort(), Request(), GeneratedSource(*FindClip(kClip)), &scores);
  }

  FirstFailure Handle() {
    Scores scores;
    auto model = std::make_shared<const std::vector<double>>(16, 1.0);
    models_.emplace_back(model);
    FirstFailure answer =
        handler_.Handle(Request(), std::move(model), GeneratedSource(*FindClip(kClip)), &scores);
    std::erase_if(models_, [](const auto& watched) { return watched.expired(); });
    model_given_up_ |= models_.size() < handler_.unfinished();
    return answer;
  }

  FirstFailure FilterInit() {
    FirstFailure first;
    const Status opened = pipeline_.OpenFrames(&frames_);
    if (!first.Note("frames", StatusOf(opened))) return first;
    filter_ = std::make_unique<ScoreFilter>(ReferencePort());
    source_ = GeneratedSource(*FindClip(kClip));
    filter_->Init(Request(), frames_);
    return filter_->first();
  }

  FirstFailure FilterFrame() {
    FrameView reference;
    FrameView distorted;
    bool end = false;
    if (!source_(&reference, &distorted, &end).ok() || end) return FirstFailure();
    filter_->FilterFrame(reference, distorted);
    return filter_->first();
  }

  FirstFailure FilterEnd() {
    Scores scores;
    filter_->EndOfStream(&scores);
    return filter_->first();
  }

  // The pipeline gives its own reference up whatever the filter says.
  FirstFailure FilterUninit() {
    FirstFailure first;
    frames_.reset();
    if (filter_ != nullptr) {
      first = filter_->Uninit();
      if (filter_->finished()) filter_.reset();
    }
    first.Note("giving the frames back", StatusOf(pipeline_.GiveBackLeft()));
    return first;
  }

  FirstFailure Release() {
    FirstFailure first = FilterUninit();
    const FirstFailure handler = handler_.Shutdown();
    if (handler.failed()) first.Note("shutdown", handler.status());
    if (std::exchange(model_given_up_, false)) {
      first.Note("models", StatusOf(ExtractorFailure(
                               -EFAULT, "a model was given up before its session was closed")));
    }
    return first;
  }

  bool has_filter() const { return filter_ != nullptr; }

 private:
  static ScoreRequest Request() {
    ScoreRequest request;
    request.geometry = FindClip(kClip)->geometry;
    request.preallocate = 4;
    request.extractors = {"motion", "psnr"};
    return request;
  }

  ComputeHandler handler_{ReferencePort()};
  std::vector<std::weak_ptr<const std::vector<double>>> models_;  // lent to requests
  bool model_given_up_ = false;
  Pipeline pipeline_;
  std::shared_ptr<const FramesContext> frames_;
  std::unique_ptr<ScoreFilter> filter_;
  GeneratedSource source_{*FindClip(kClip)};
};

culprit_status AnswerOf(const FirstFailure& failure) {
  return failure.failed() ? failure.status() : EmptyStatus();
}

culprit_status WithFilter(Callers& callers, FirstFailure (Callers::*step)()) {
  if (callers.has_filter()) return AnswerOf((callers.*step)());
  return StatusOf(ExtractorFailure(-EINVAL, "there is no filter: filter_init comes first"));
}

constexpr Operation<Callers> kOperations[] = {
    {"score", [](Callers& callers, const Options&) { return AnswerOf(callers.Score()); }},
    {"handle", [](Callers& callers, const Options&) { return AnswerOf(callers.Handle()); }},
    {"filter_init",
     [](Callers& callers, const Options&) { return AnswerOf(callers.FilterInit()); }},
    {"filter_frame",
     [](Callers& callers, const Options&) { return WithFilter(callers, &Callers::FilterFrame); }},
    {"filter_end",
     [](Callers& callers, const Options&) { return WithFilter(callers, &Callers::FilterEnd); }},
    {"filter_uninit",
     [](Callers& callers, const Options&) { return AnswerOf(callers.FilterUninit()); }},
    {"release", [](Callers& callers, const Options&) { return AnswerOf(callers.Release()); }},
};

}  // namespace

const culprit_port& CallersPort() {
  static const char* const kNames[] = {"score",      "handle",        "filter_init", "filter_frame",
                                       "filter_end", "filter_uninit", "release",     nullptr};
  static const culprit_port port = [] {
    culprit_port made = OperatingPort(kNames);
    made.lifetimes = ReferencePort().lifetimes;
    made.lifetime_count = ReferencePort().lifetime_count;
    made.operate = [](void** instance, const char* name, const culprit_option* arguments,
                      uint32_t count, culprit_status* status) {
      return Operate(kOperations, instance, name, arguments, count, status);
    };
    return made;
  }();
  return port;
}

}  // namespace culprit::reference
