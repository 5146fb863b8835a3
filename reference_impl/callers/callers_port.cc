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
#include <cstring>
#include <functional>

#include "reference_impl/callers/compute_handler.h"
#include "reference_impl/callers/pipeline.h"
#include "reference_impl/callers/score_filter.h"
#include "reference_impl/clip/generated_source.h"
#include "reference_impl/port/port_status.h"
#include "reference_impl/port/ports.h"

namespace culprit::reference {
namespace {

constexpr const char* kClip = "k64_2";

culprit_status StatusOf(const Status& status) {
  culprit_status filled = EmptyStatus();
  Report(status, &filled);
  return filled;
}

class Callers {
 public:
  FirstFailure Score() {
    Scores scores;
    return RunScore(ReferencePort(), Request(), GeneratedSource(*FindClip(kClip)), &scores);
  }

  FirstFailure Handle() {
    Scores scores;
    const auto model = std::make_shared<std::vector<double>>(16, 1.0);
    return handler_.Handle(Request(), model, GeneratedSource(*FindClip(kClip)), &scores);
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
    return first.failed() ? first : handler;
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
  Pipeline pipeline_;
  std::shared_ptr<const FramesContext> frames_;
  std::unique_ptr<ScoreFilter> filter_;
  GeneratedSource source_{*FindClip(kClip)};
};

struct Operation {
  const char* name;
  FirstFailure (Callers::*run)();
  bool needs_filter;
};
constexpr Operation kOperations[] = {
    {"score", &Callers::Score, false},
    {"handle", &Callers::Handle, false},
    {"filter_init", &Callers::FilterInit, false},
    {"filter_frame", &Callers::FilterFrame, true},
    {"filter_end", &Callers::FilterEnd, true},
    {"filter_uninit", &Callers::FilterUninit, false},
    {"release", &Callers::Release, false},
};

int Answer(const culprit_status& filled, culprit_status* status) {
  if (status != nullptr) {
    const uint32_t size = std::min<uint32_t>(status->size, sizeof filled);
    std::memcpy(status, &filled, size);
    status->size = size;
  }
  return filled.error;
}

int Operate(void** instance, const char* operation, const culprit_option*, uint32_t,
            culprit_status* status) {
  if (*instance == nullptr) *instance = new Callers;
  auto* callers = static_cast<Callers*>(*instance);
  for (const Operation& known : kOperations) {
    if (std::strcmp(known.name, operation) != 0) continue;
    if (known.needs_filter && !callers->has_filter()) break;
    const FirstFailure failure = (callers->*known.run)();
    if (known.run == &Callers::Release && !failure.failed()) {
      delete callers;
      *instance = nullptr;
    }
    return Answer(failure.failed() ? failure.status() : EmptyStatus(), status);
  }
  culprit_status refused = EmptyStatus();
  refused.error = -EINVAL;
  refused.domain = CULPRIT_DOMAIN_HOST;
  return Answer(refused, status);
}

culprit_port MakePort() {
  static const char* const kNames[] = {"score",      "handle",        "filter_init", "filter_frame",
                                       "filter_end", "filter_uninit", "release",     nullptr};
  culprit_port port{};
  port.size = sizeof port;
  port.abi = CULPRIT_PORT_ABI;
  port.name = kPortName;
  port.version = kPortVersion;
  port.abilities = CULPRIT_CAN_OPERATE | CULPRIT_CAN_RETRY_CLOSE;
  port.lifetimes = ReferencePort().lifetimes;
  port.lifetime_count = ReferencePort().lifetime_count;
  port.operations = kNames;
  port.operate = &Operate;
  return port;
}

}  // namespace

const culprit_port& CallersPort() {
  static const culprit_port port = MakePort();
  return port;
}

}  // namespace culprit::reference
