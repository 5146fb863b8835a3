// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/life_cycle.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "suites/runner/planned_faults.h"
#include "suites/runner/step_threads.h"

namespace culprit::suites {
namespace {

constexpr uint32_t kAttemptsUnderFault = 2;
constexpr uint32_t kMostAttempts = 6;  // two faults that stay, one after the other, and a last one
constexpr const char* kReleaseOperation = "release";

// A value that no port can have made, to see whether it wrote an out-parameter.
template <typename T>
T* Untouched() {
  static char mark;
  return reinterpret_cast<T*>(&mark);
}

class LifeCycle {
 public:
  LifeCycle(const LifeCycleInput& input, StepThreads& threads)
      : input_(input),
        port_(input.port.port()),
        control_(input.driver.control()),
        threads_(threads),
        faults_(control_, input.faults) {}

  LifeCycleRecord Run();

 private:
  using PortFunction = std::function<int(culprit_status*)>;

  void RunStep(const Step& step, uint32_t index);
  bool Ready(const Step& step) const;
  // Makes one call into the port and records it. The returned reference lives until the next call.
  PortCall& Call(const Step& step, uint32_t index, const PortFunction& function, uint32_t frame = 0,
                 uint32_t attempt = 1, std::string subject = {});
  void Release(const Step& step, uint32_t index, const PortFunction& release,
               const std::function<bool()>& gone, std::string subject = {});

  void StateInit(const Step& step, uint32_t index);
  void Open(const Step& step, uint32_t index);
  void Use(const Step& step, uint32_t index);
  void Preallocate(const Step& step, uint32_t index);
  void Submit(const Step& step, uint32_t index);
  bool Fetch(const Step& step, uint32_t index, uint32_t frame);
  void ReadScores();
  void Operate(const Step& step, uint32_t index);

  uint32_t LastFrame(const Step& step) const;

  const LifeCycleInput& input_;
  const culprit_port& port_;
  const culprit_control_table& control_;
  StepThreads& threads_;
  std::optional<CallerContexts> contexts_;
  PlannedFaults faults_;
  bool failed_ = false;
  LifeCycleRecord record_;

  culprit_state* state_ = nullptr;
  culprit_session* session_ = nullptr;
  void* instance_ = nullptr;
  struct Pair {
    culprit_picture* reference = nullptr;
    culprit_picture* distorted = nullptr;
  };
  std::map<uint32_t, Pair> fetched_;
};

LifeCycleRecord LifeCycle::Run() {
  if (control_.reset() != 0) {
    throw std::runtime_error(fmt::format("the driver refused a reset: {}", control_.last_error()));
  }
  faults_.Plan();
  const uint64_t locked_mutexes = CurrentHostUse().locked_mutexes;
  const bool steady = input_.scenario.expect.steady;
  if (steady) CountHeap(true);
  contexts_.emplace(input_.driver, input_.settings);
  for (uint32_t cycle = 0; cycle < input_.scenario.cycles && !failed_; ++cycle) {
    for (uint32_t i = 0; i < input_.scenario.steps.size(); ++i) {
      RunStep(input_.scenario.steps[i], i);
    }
    culprit_live live{};
    live.size = sizeof(live);
    control_.live(&live);
    record_.live_after_cycle.push_back(live);
    if (steady) record_.host_use_after_cycle.push_back(CurrentHostUse());
  }
  if (steady) CountHeap(false);
  record_.locked_mutexes = CurrentHostUse().locked_mutexes - locked_mutexes;
  record_.owner_left = state_ != nullptr || session_ != nullptr || instance_ != nullptr;
  record_.fired = faults_.Fired();
  record_.fault_ids = faults_.ids();
  record_.driver_calls = control_.calls();
  record_.live.size = sizeof(record_.live);
  control_.live(&record_.live);
  control_.end_of_life();
  contexts_.reset();
  return std::move(record_);
}

PortCall& LifeCycle::Call(const Step& step, uint32_t index, const PortFunction& function,
                          uint32_t frame, uint32_t attempt, std::string subject) {
  PortCall& call = record_.calls.emplace_back();
  call.kind = step.kind;
  call.step = index;
  call.frame = frame;
  call.attempt = attempt;
  call.subject = std::move(subject);
  call.expected_to_fail = step.fails_with.has_value();
  call.status.size = sizeof(call.status);
  call.sticky_in_force = faults_.StickyInForce();
  call.fired_before = faults_.Fired();
  call.calls_before = control_.calls();
  if (input_.announce) input_.announce(call);
  threads_.Run(step.thread, [&] {
    call.before = contexts_->Enter();
    call.returned = function(&call.status);
    call.after = contexts_->Leave(call.before);
  });
  call.calls_after = control_.calls();
  call.fired_after = faults_.Fired();
  if (call.returned > 0) {
    call.broken_promise =
        fmt::format("it returned {}, which is neither zero nor a negative errno", call.returned);
  } else if (call.returned != call.status.error && call.returned != 0) {
    call.broken_promise =
        fmt::format("it returned {} but status.error is {}", call.returned, call.status.error);
  }
  if (call.failed() && !call.expected_to_fail) failed_ = true;
  if (!call.failed() && call.expected_to_fail) failed_ = true;
  return call;
}

void LifeCycle::Release(const Step& step, uint32_t index, const PortFunction& release,
                        const std::function<bool()>& gone, std::string subject) {
  const bool retry =
      step.until_zero && input_.port.Can(CULPRIT_CAN_RETRY_CLOSE) && !step.fails_with.has_value();
  for (uint32_t attempt = 1;; ++attempt) {
    PortCall& call = Call(step, index, release, 0, attempt, subject);
    if (!call.failed()) {
      if (!gone()) call.broken_promise = "it returned zero and left the owner's pointer set";
      return;
    }
    if (gone()) {
      call.broken_promise = "it failed and took the owner away, so that nothing can be retried";
      return;
    }
    if (!retry || attempt == kMostAttempts) return;
    if (attempt % kAttemptsUnderFault == 0) faults_.LiftWhatIsInForce();
  }
}

bool LifeCycle::Ready(const Step& step) const {
  switch (step.kind) {
    case StepKind::kStateInit:
    case StepKind::kOpen:
    case StepKind::kOperate:
      return true;
    case StepKind::kImport:
      return session_ != nullptr && state_ != nullptr;
    case StepKind::kStateFree:
      return state_ != nullptr;
    default:
      return session_ != nullptr;
  }
}

void LifeCycle::RunStep(const Step& step, uint32_t index) {
  const bool teardown = IsTeardown(step.kind) ||
                        (step.kind == StepKind::kOperate && step.operation == kReleaseOperation);
  if ((failed_ && !teardown) || !Ready(step)) {
    record_.completed = false;
    return;
  }
  switch (step.kind) {
    case StepKind::kStateInit:
      return StateInit(step, index);
    case StepKind::kOpen:
      return Open(step, index);
    case StepKind::kUse:
      return Use(step, index);
    case StepKind::kImport:
      Call(step, index,
           [&](culprit_status* status) { return port_.import_state(session_, state_, status); });
      return;
    case StepKind::kPreallocate:
      return Preallocate(step, index);
    case StepKind::kFetch:
      for (uint32_t frame = step.first_frame; frame < LastFrame(step); ++frame) {
        if (!Fetch(step, index, frame)) return;
      }
      return;
    case StepKind::kSubmit:
      return Submit(step, index);
    case StepKind::kFlush:
      Call(step, index, [&](culprit_status* status) { return port_.flush(session_, status); });
      return;
    case StepKind::kScores:
      return ReadScores();
    case StepKind::kClose:
      Release(
          step, index, [&](culprit_status* status) { return port_.close(&session_, status); },
          [&] { return session_ == nullptr; });
      fetched_.clear();
      return;
    case StepKind::kStateFree:
      Release(
          step, index, [&](culprit_status* status) { return port_.state_free(&state_, status); },
          [&] { return state_ == nullptr; });
      return;
    case StepKind::kOperate:
      return Operate(step, index);
  }
}

void LifeCycle::StateInit(const Step& step, uint32_t index) {
  culprit_state* state = Untouched<culprit_state>();
  PortCall& call = Call(step, index, [&](culprit_status* status) {
    return port_.state_init(contexts_->given(), &state, status);
  });
  const bool written = state != Untouched<culprit_state>();
  if (!call.failed() && written && state != nullptr) {
    state_ = state;
  } else if (!call.failed()) {
    call.broken_promise = "it returned zero and gave no state";
    failed_ = true;
  } else if (written) {
    call.broken_promise = "it failed and still wrote the out-parameter";
  }
}

void LifeCycle::Open(const Step& step, uint32_t index) {
  const ClipShape& shape = input_.clip.shape();
  const culprit_config config{sizeof(config), shape.width,  shape.height,
                              shape.bits,     shape.format, input_.settings.threads};
  culprit_session* session = nullptr;
  PortCall& call = Call(
      step, index, [&](culprit_status* status) { return port_.open(&config, &session, status); });
  if (!call.failed() && session == nullptr) {
    call.broken_promise = "it returned zero and gave no session";
    failed_ = true;
  }
  if (!call.failed()) session_ = session;
}

void LifeCycle::Use(const Step& step, uint32_t index) {
  std::vector<culprit_option> options;
  for (const auto& [key, value] : step.options) options.push_back({key.c_str(), value.c_str()});
  for (const std::string& extractor : input_.settings.extractors) {
    const PortCall& call = Call(
        step, index,
        [&](culprit_status* status) {
          return port_.use_extractor(session_, extractor.c_str(), options.data(),
                                     static_cast<uint32_t>(options.size()), status);
        },
        0, 1, extractor);
    if (call.failed()) return;
  }
}

void LifeCycle::Preallocate(const Step& step, uint32_t index) {
  const uint32_t count = step.pictures != 0 ? step.pictures : input_.settings.preallocate;
  if (count == 0) return;  // these settings submit from host memory
  Call(step, index,
       [&](culprit_status* status) { return port_.preallocate(session_, count, status); });
}

uint32_t LifeCycle::LastFrame(const Step& step) const {
  const uint32_t frames = input_.clip.shape().frames;
  if (step.first_frame >= frames) return step.first_frame;
  return step.first_frame + std::min(step.frame_count, frames - step.first_frame);
}

bool LifeCycle::Fetch(const Step& step, uint32_t index, uint32_t frame) {
  Pair& pair = fetched_[frame];
  for (const auto& [source, picture] : {std::pair{input_.clip.Reference(frame), &pair.reference},
                                        std::pair{input_.clip.Distorted(frame), &pair.distorted}}) {
    const PortCall& call = Call(
        step, index,
        [&, &source = source, picture = picture](culprit_status* status) {
          return port_.fetch(session_, &source, picture, status);
        },
        frame);
    if (call.failed()) return false;
  }
  return true;
}

void LifeCycle::Submit(const Step& step, uint32_t index) {
  const bool from_ring = input_.settings.preallocate != 0;
  for (uint32_t frame = step.first_frame; frame < LastFrame(step); ++frame) {
    if (from_ring && !fetched_.contains(frame) && !Fetch(step, index, frame)) return;
    const auto held = fetched_.find(frame);
    const PortCall& call = Call(
        step, index,
        [&](culprit_status* status) {
          if (held != fetched_.end()) {
            return port_.submit_pictures(session_, held->second.reference, held->second.distorted,
                                         frame, status);
          }
          const culprit_frame reference = input_.clip.Reference(frame);
          const culprit_frame distorted = input_.clip.Distorted(frame);
          return port_.submit(session_, &reference, &distorted, frame, status);
        },
        frame);
    if (held != fetched_.end()) fetched_.erase(held);
    if (call.failed()) return;
  }
}

void LifeCycle::ReadScores() {
  record_.scores.clear();
  record_.scores_read = true;
  for (uint32_t i = 0;; ++i) {
    const char* key = port_.score_key(session_, i);
    if (key == nullptr) break;
    ScoreSeries& series = record_.scores.emplace_back();
    series.key = key;
    for (uint32_t frame = 0; frame < input_.clip.shape().frames; ++frame) {
      culprit_status status{};
      status.size = sizeof(status);
      double value = 0;
      const bool found = port_.score(session_, key, frame, &value, &status) == 0;
      series.values.push_back(found ? std::optional(value) : std::nullopt);
    }
  }
}

void LifeCycle::Operate(const Step& step, uint32_t index) {
  std::vector<culprit_option> arguments;
  for (const auto& [key, value] : step.options) arguments.push_back({key.c_str(), value.c_str()});
  const PortFunction operate = [&](culprit_status* status) {
    return port_.operate(&instance_, step.operation.c_str(), arguments.data(),
                         static_cast<uint32_t>(arguments.size()), status);
  };
  if (step.operation == kReleaseOperation) {
    if (instance_ == nullptr) return;
    bool released = false;
    Release(
        step, index,
        [&](culprit_status* status) {
          const int result = operate(status);
          released = result == 0;
          return result;
        },
        [&] { return released; }, step.operation);
    if (released) instance_ = nullptr;
  } else {
    Call(step, index, operate, 0, 1, step.operation);
  }
}

}  // namespace

std::string PortCall::Name() const {
  std::string name = NameOf(kind);
  if (!subject.empty()) name += " " + subject;
  if (kind == StepKind::kSubmit || kind == StepKind::kFetch)
    name += fmt::format(" frame {}", frame);
  if (attempt > 1) name += fmt::format(" (attempt {})", attempt);
  return name;
}

bool ScoreSeries::operator==(const ScoreSeries& other) const {
  if (key != other.key || values.size() != other.values.size()) return false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].has_value() != other.values[i].has_value()) return false;
    if (values[i] && std::memcmp(&*values[i], &*other.values[i], sizeof(double)) != 0) return false;
  }
  return true;
}

LifeCycleRecord RunLifeCycle(const LifeCycleInput& input, StepThreads& threads) {
  return LifeCycle(input, threads).Run();
}

}  // namespace culprit::suites
