// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/certification.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "suites/runner/in_child.h"
#include "suites/runner/vendor_driver.h"

namespace culprit::suites {
namespace {

constexpr size_t kLargestBatch = 1024;
// Each hang costs the time limit; a group that hangs and hangs is cut short.
constexpr uint32_t kMostHangs = 2;
// And so is the whole run.
constexpr uint32_t kMostHangsOfAll = 8;
// What `--stop-at` calls whatever comes first.
constexpr std::string_view kAnyFinding = "any";
// A report shows no more of them.
constexpr uint32_t kMostTimelines = 40;

Finding FindingOf(const ChildEnd& end) {
  Finding finding;
  finding.id = end.kind == ChildEnd::Kind::kCrashed ? "port.crash"
               : end.kind == ChildEnd::Kind::kHung  ? "port.hang"
                                                    : "port.exit";
  finding.step = end.doing;
  finding.message = fmt::format("the subject {} in {}", end.Text(),
                                end.doing.empty() ? "the harness's own part" : end.doing);
  if (!end.stacks.empty()) finding.details["stack"] = end.stacks.front();
  if (end.stacks.size() > 1) finding.details["all_stacks"] = end.stacks;
  if (!end.last_driver_call.empty()) finding.details["last_driver_call"] = end.last_driver_call;
  return finding;
}

}  // namespace

// The whole fault space of a scenario: what `--singles all` makes of a sweep.
Sweep Whole(const Sweep& sweep) {
  Sweep whole;
  whole.results = Sweep::Results::kDocumented;
  whole.when = {FaultWhen::kBefore, FaultWhen::kAfter};
  whole.span = {FaultSpan::kOnce, FaultSpan::kSticky};
  whole.pairs = sweep.pairs;
  return whole;
}

Certification::Certification(const PortLibrary& port, const DriverUnderTest& driver,
                             CertificationPlan plan)
    : port_(port),
      driver_(driver),
      plan_(std::move(plan)),
      pool_(plan_.jobs),
      clips_(plan_.clips, plan_.golden) {}

Certification::~Certification() = default;

void Certification::Prepare() {
  std::set<std::tuple<std::string, std::string, std::string>> skips;
  for (const Suite& suite : plan_.suites) {
    for (const Scenario& scenario : suite.scenarios) {
      if (plan_.replay && plan_.replay->scenario != scenario.name) continue;
      Expansion expansion;
      if (plan_.replay) {
        expansion.settings = {plan_.replay->settings};
      } else {
        expansion = Expand(suite, scenario, port_, plan_.selection);
      }
      for (const Skip& skip : expansion.skips) skips.insert({skip.suite, skip.what, skip.reason});
      for (const Settings& settings : expansion.settings) {
        const auto waiver = std::find_if(
            plan_.never_supported.begin(), plan_.never_supported.end(),
            [&](const Waiver& one) { return one.Covers(suite.name, scenario.name, settings); });
        if (waiver == plan_.never_supported.end()) {
          AddGroup(suite, scenario, settings);
        } else {
          const Skip skip = waiver->AsSkip();
          skips.insert({skip.suite, skip.what, skip.reason});
        }
      }
    }
  }
  for (const auto& [name, what, reason] : skips) listener_.on_skip({name, what, reason});
}

void Certification::AddGroup(const Suite& suite, const Scenario& scenario,
                             const Settings& settings) {
  auto group = std::make_unique<CaseGroup>();
  group->number = static_cast<uint32_t>(groups_.size());
  group->suite = &suite;
  group->scenario = scenario;
  if (std::optional<Sweep>& sweep = group->scenario.sweep) {
    if (plan_.all_singles) sweep = Whole(*sweep);
    sweep->pairs |= plan_.pairs && sweep->followed_by.empty();
  }
  group->settings = settings;
  if (OnVendorsDriver(settings)) {
    std::erase_if(group->scenario.expect.live,
                  [](const auto& live) { return !CountedOnVendorsDriver(live.first); });
  }
  ClipChoice choice = LargeEnough(scenario.clip ? *scenario.clip : suite.clip, port_, settings);
  if (plan_.replay && plan_.replay->frames != 0) {
    choice.frames = std::min(choice.frames, plan_.replay->frames);
  }
  const ClipShelf::Found found = clips_.Find(choice, settings.bits);
  group->clip = found.clip;
  group->golden = found.golden;
  if (!choice.name.empty()) group->settings.bits = group->clip->shape().bits;
  groups_.push_back(std::move(group));
}

CaseContext Certification::ContextOf(const CaseGroup& group) const {
  CaseContext context{port_, driver_, *group.clip, group.scenario, group.settings, {}};
  context.promises.retry_close = port_.Can(CULPRIT_CAN_RETRY_CLOSE);
  context.promises.declares = [this](const std::string& kind, const std::string& where) {
    return port_.Declares(kind, where);
  };
  context.baseline = group.undisturbed_done ? &group.baseline : nullptr;
  context.expected = !group.expected.empty()   ? &group.expected
                     : group.golden != nullptr ? &group.golden->scores
                                               : nullptr;
  context.reuse_launches = plan_.reuse_launches;
  return context;
}

ChildPool::Task Certification::NewTask(CaseGroup& group, std::function<void(ChildLink&)> body) {
  ChildPool::Task task;
  task.body = std::move(body);
  task.case_limit = std::chrono::seconds(group.suite->timeout_s);
  task.wanted = [this, &group] { return !stopped() && group.abandoned.empty(); };
  task.control = &driver_.control();
  return task;
}

void Certification::TakeSites(const nlohmann::json& answer) {
  const auto sites = answer.find("sites");
  if (sites != answer.end()) sites_.Add(TeardownSites::FromJson(*sites));
}

void Certification::StartUndisturbed(CaseGroup& group) {
  ++group.outstanding;
  ++planned_;
  ChildPool::Task task = NewTask(
      group, [this, &group](ChildLink& link) { RunUndisturbed(group, ContextOf(group), link); });
  task.on_line = [this, &group](std::string_view line) {
    const auto json = nlohmann::json::parse(line);
    group.baseline = ScoresFromJson(json.at("scores"));
    group.expected = ScoresFromJson(json.at("expected"));
    group.calls = CallsFromJson(json.at("calls"));
    json.at("outside").get_to(group.calls_outside_steps);
    TakeSites(json);
    const CaseResult result = CaseResultFromJson(json.at("case"));
    group.undisturbed_done = true;
    group.undisturbed_passed = result.passed();
    // Once more for its timeline; it stays a failure.
    result.passed() ? Accept(group, result) : Confirm(group, result);
  };
  task.on_end = [this, &group](const ChildEnd& end) {
    if (end.kind == ChildEnd::Kind::kNotStarted) return;
    NoteHang(end);
    if (!group.undisturbed_done) AcceptEnd(group, 0, end);
    PlanSweepOf(group);
    FinishIfDone(group);
  };
  pool_.Add(std::move(task));
}

// A shard runs every n-th case, counted from the first with a fault. What pairs there are depends
// on how the runs with one fault go on, so every shard runs those; it answers for its own only.
bool Certification::Wanted(const CaseGroup& group, uint32_t index) const {
  if (!plan_.shard.Owes(index)) return false;
  if (plan_.only.empty()) return true;
  const auto rerun = std::find_if(plan_.only.begin(), plan_.only.end(),
                                  [&](const Rerun& one) { return one.group == group.number; });
  return rerun != plan_.only.end() &&
         std::binary_search(rerun->cases.begin(), rerun->cases.end(), index);
}

void Certification::PlanSweepOf(CaseGroup& group) {
  if (!group.scenario.sweep || !group.undisturbed_passed) return;
  group.singles = SinglesPlan(*group.scenario.sweep, group.calls, driver_.table(),
                              group.settings.threads != 0, group.calls_outside_steps);
  if (plan_.replay) return ReplayIn(group);
  const bool all = group.scenario.sweep->pairs;
  std::vector<uint32_t> indexes;
  for (uint32_t index = 1; index <= group.singles.size(); ++index) {
    if (all || Wanted(group, index)) indexes.push_back(index);
  }
  StartBatches(group, indexes);
}

void Certification::PlanPairsOf(CaseGroup& group) {
  group.PlanPairs(driver_.table());
  std::vector<uint32_t> indexes;
  const auto first = static_cast<uint32_t>(1 + group.singles.size());
  for (uint32_t i = 0; i < group.pairs.size(); ++i) {
    if (Wanted(group, first + i)) indexes.push_back(first + i);
  }
  StartBatches(group, indexes);
}

// The case of the replay, whether or not the sweep would still plan it.
void Certification::ReplayIn(CaseGroup& group) {
  if (plan_.replay->index == 0) return;
  group.replayed = {plan_.replay->faults};
  ++planned_;
  ++group.outstanding;
  CaseResult wanted;
  wanted.index = 1;
  Confirm(group, std::move(wanted));
}

void Certification::StartBatches(CaseGroup& group, const std::vector<uint32_t>& indexes) {
  planned_ += indexes.size();
  group.outstanding += indexes.size();
  // A vendor's driver cannot be reset: one process for each life cycle.
  const size_t size = OnVendorsDriver(group.settings)
                          ? 1
                          : std::clamp<size_t>(indexes.size() / (plan_.jobs * 4), 1, kLargestBatch);
  for (size_t at = 0; at < indexes.size(); at += size) {
    const size_t end = std::min(at + size, indexes.size());
    StartBatch(group, {indexes.begin() + static_cast<ptrdiff_t>(at),
                       indexes.begin() + static_cast<ptrdiff_t>(end)});
  }
}

void Certification::StartBatch(CaseGroup& group, std::vector<uint32_t> indexes) {
  if (indexes.empty()) return;
  auto done = std::make_shared<size_t>(0);
  ChildPool::Task task = NewTask(group, [this, &group, indexes](ChildLink& link) {
    RunBatch(group, ContextOf(group), indexes, link);
  });
  task.on_line = [this, &group, done](std::string_view line) {
    ++*done;
    const auto json = nlohmann::json::parse(line);
    CaseResult result = CaseResultFromJson(json.at("case"));
    TakeSites(json);
    if (const auto sequel = json.find("sequel"); sequel != json.end()) {
      group.Classify(result.index, SequelFromJson(*sequel));
    }
    if (result.passed()) {
      Accept(group, result);
    } else {
      Confirm(group, std::move(result));
    }
  };
  task.on_end = [this, &group, done, indexes](const ChildEnd& end) {
    EndBatch(group, indexes, *done, end);
    FinishIfDone(group);
  };
  pool_.AddFirst(std::move(task));
}

void Certification::NoteHang(const ChildEnd& end) {
  if (end.kind != ChildEnd::Kind::kHung || ++hangs_ != kMostHangsOfAll || stopped()) return;
  stopped_for_ = fmt::format("{} cases hung, so the rest was not run", kMostHangsOfAll);
}

void Certification::EndBatch(CaseGroup& group, const std::vector<uint32_t>& indexes, size_t done,
                             const ChildEnd& end) {
  if (end.kind == ChildEnd::Kind::kNotStarted && stopped()) return;
  NoteHang(end);
  if (end.kind == ChildEnd::Kind::kHung && ++group.hangs == kMostHangs) {
    group.abandoned = fmt::format("{} cases hung, so the rest was not run", kMostHangs);
  }
  const bool died = end.kind != ChildEnd::Kind::kFinished &&
                    end.kind != ChildEnd::Kind::kNotStarted &&
                    end.kind != ChildEnd::Kind::kHarnessFailed;
  if (end.kind == ChildEnd::Kind::kHarnessFailed) {
    for (; done < indexes.size(); ++done) AcceptEnd(group, indexes[done], end);
  } else if (died && done < indexes.size()) {
    CaseResult result;
    result.index = indexes[done++];
    result.faults = group.FaultsOf(result.index);
    result.fired.resize(result.faults.size());
    result.findings.push_back(FindingOf(end));
    Confirm(group, std::move(result));
  }
  if (group.abandoned.empty()) {
    StartBatch(group, {indexes.begin() + static_cast<ptrdiff_t>(done), indexes.end()});
  } else {
    group.outstanding -= indexes.size() - done;
  }
}

// Runs a failed case again, alone and with the call log on.
void Certification::Confirm(CaseGroup& group, CaseResult in_batch) {
  const uint32_t index = in_batch.index;
  auto answered = std::make_shared<bool>(false);
  const auto trace = timelines_++ < kMostTimelines ? std::make_shared<FailureTrace>() : nullptr;
  ChildPool::Task task = NewTask(group, [this, &group, index, trace](ChildLink& link) {
    if (trace != nullptr) trace->Begin(driver_.control());
    RunAlone(group, ContextOf(group), index, link);
  });
  task.on_line = [this, &group, in_batch, answered, trace](std::string_view line) {
    *answered = true;
    const auto json = nlohmann::json::parse(line);
    CaseResult alone = CaseResultFromJson(json.at("case"));
    if (alone.passed() && !in_batch.passed()) {
      alone = in_batch;
      alone.only_after_others = true;
    } else if (trace != nullptr && !alone.passed()) {
      alone.findings.front().details["timeline"] = trace->Timeline(json.at("steps"));
    }
    Accept(group, alone);
  };
  task.on_end = [this, &group, index, in_batch, answered, trace](const ChildEnd& end) {
    if (end.kind == ChildEnd::Kind::kNotStarted) {
      Accept(group, in_batch);
    } else if (!*answered) {
      AcceptEnd(group, index, end, trace.get());
    }
    FinishIfDone(group);
  };
  pool_.AddFirst(std::move(task));
}

void Certification::Accept(CaseGroup& group, const CaseResult& result) {
  --group.outstanding;
  ++done_;
  for (const Finding& finding : result.findings) {
    const bool asked = finding.id == plan_.stop_at || plan_.stop_at == kAnyFinding;
    if (!finding.IsError() || !asked || stopped()) continue;
    stopped_for_ = fmt::format("the run was stopped at the first {}",
                               plan_.stop_at == kAnyFinding ? "finding" : plan_.stop_at);
  }
  if (plan_.replay || Wanted(group, result.index)) listener_.on_case(group, result);
}

// The case ended with its child.
void Certification::AcceptEnd(CaseGroup& group, uint32_t index, const ChildEnd& end,
                              const FailureTrace* trace) {
  CaseResult result;
  result.index = index;
  result.faults = group.FaultsOf(index);
  result.fired.resize(result.faults.size());
  result.live = "unknown";
  if (end.kind == ChildEnd::Kind::kHarnessFailed || end.kind == ChildEnd::Kind::kFinished) {
    group.abandoned = end.Text();
    result.findings.push_back({.id = "suite.not_run", .message = end.Text(), .step = {}});
  } else {
    result.findings.push_back(FindingOf(end));
    if (trace != nullptr) {
      result.findings.front().details["timeline"] = trace->Timeline(nlohmann::json::array());
    }
  }
  Accept(group, result);
}

void Certification::FinishIfDone(CaseGroup& group) {
  const bool pairs = group.scenario.sweep && group.scenario.sweep->pairs && !plan_.replay;
  if (pairs && group.outstanding == 0 && group.singles.size() != 0 && !group.pairs_planned &&
      group.abandoned.empty() && !stopped()) {
    PlanPairsOf(group);
  }
  if (group.outstanding == 0) group.finished = true;
  while (reported_ < groups_.size() && groups_[reported_]->finished) {
    listener_.on_group(groups_[reported_++]->Result());
  }
}

void Certification::Run(const Listener& listener) {
  listener_ = listener;
  Prepare();
  for (const auto& group : groups_) StartUndisturbed(*group);
  pool_.Run([&] { listener_.on_progress(done_, planned_); });
  std::set<std::pair<std::string, std::string>> never_begun;
  for (; reported_ < groups_.size(); ++reported_) {
    CaseGroup& group = *groups_[reported_];
    group.abandoned = stopped_for_;
    if (group.undisturbed_done) {
      listener_.on_group(group.Result());
    } else if (never_begun.insert({group.suite->name, group.scenario.name}).second) {
      listener_.on_skip({group.suite->name, group.scenario.name, stopped_for_});
    }
  }
  listener_.on_progress(done_, planned_);
}

}  // namespace culprit::suites
