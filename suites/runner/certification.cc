// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/certification.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>
#include <tuple>

namespace culprit::suites {
namespace {

constexpr size_t kLargestBatch = 64;
// Each hang costs the time limit; a group that hangs and hangs is cut short.
constexpr uint32_t kMostHangs = 2;

nlohmann::json ScoresToJson(const std::vector<ScoreSeries>& scores) {
  nlohmann::json list = nlohmann::json::array();
  for (const ScoreSeries& series : scores) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& value : series.values) {
      // As bits: what is compared must not pass through decimal text.
      values.push_back(value ? nlohmann::json(std::bit_cast<uint64_t>(*value)) : nullptr);
    }
    list.push_back({series.key, std::move(values)});
  }
  return list;
}

std::vector<ScoreSeries> ScoresFromJson(const nlohmann::json& list) {
  std::vector<ScoreSeries> scores;
  for (const nlohmann::json& item : list) {
    ScoreSeries& series = scores.emplace_back();
    item.at(0).get_to(series.key);
    for (const nlohmann::json& value : item.at(1)) {
      series.values.push_back(value.is_null()
                                  ? std::nullopt
                                  : std::optional(std::bit_cast<double>(value.get<uint64_t>())));
    }
  }
  return scores;
}

nlohmann::json CallsToJson(const std::vector<SweptCall>& calls) {
  nlohmann::json list = nlohmann::json::array();
  for (const SweptCall& call : calls) {
    list.push_back({call.entry, call.nth, call.sequence, static_cast<int>(call.during)});
  }
  return list;
}

std::vector<SweptCall> CallsFromJson(const nlohmann::json& list) {
  std::vector<SweptCall> calls;
  for (const nlohmann::json& item : list) {
    calls.push_back(
        {item.at(0), item.at(1), item.at(2), static_cast<StepKind>(item.at(3).get<int>())});
  }
  return calls;
}

Settings Changed(const Settings& settings, const nlohmann::json& changes) {
  nlohmann::json json = ToJson(settings);
  json.update(changes);
  return SettingsFromJson(json);
}

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

struct Certification::Group {
  const Suite* suite = nullptr;
  const Scenario* scenario = nullptr;
  Settings settings;
  const Clip* clip = nullptr;
  const Golden* golden = nullptr;
  std::vector<ScoreSeries> baseline;
  std::vector<ScoreSeries> expected;
  std::vector<SweptCall> calls;
  std::vector<std::vector<Fault>> sweep;   // case i has fault i - 1
  std::map<uint32_t, CaseResult> results;  // final ones
  size_t outstanding = 0;                  // cases started and not final
  bool finished = false;
  uint32_t hangs = 0;
  std::string abandoned;

  std::vector<Fault> FaultsOf(uint32_t index) const {
    return index == 0 ? scenario->faults : sweep[index - 1];
  }
};

Certification::Certification(const PortLibrary& port, const DriverUnderTest& driver,
                             CertificationPlan plan)
    : port_(port), driver_(driver), plan_(std::move(plan)), pool_(plan_.jobs) {}

Certification::~Certification() = default;

ClipChoice Certification::LargeEnough(ClipChoice choice, const Settings& settings) const {
  constexpr uint32_t kLargeFrames = 2;
  const FrameSize chosen{choice.width, choice.height};
  for (const std::string& name : settings.extractors) {
    const FrameSize smallest = port_.SmallestFrame(name);
    choice.width = std::max(choice.width, smallest.width);
    choice.height = std::max(choice.height, smallest.height);
  }
  // A sweep runs every case anew: larger pictures are fewer.
  const bool enlarged = !chosen.Holds({choice.width, choice.height});
  if (enlarged && choice.name.empty()) choice.frames = std::min(choice.frames, kLargeFrames);
  return choice;
}

const Clip* Certification::ClipFor(const ClipChoice& choice, const Settings& settings,
                                   const Golden** golden) {
  *golden = nullptr;
  const std::string key = fmt::format("{}/{}x{}x{}/{}", choice.name, choice.width, choice.height,
                                      choice.frames, choice.name.empty() ? settings.bits : 0);
  std::unique_ptr<Clip>& clip = clips_[key];
  if (choice.name.empty()) {
    if (clip == nullptr) {
      clip = std::make_unique<Clip>(
          Clip::Pattern(choice.width, choice.height, choice.frames, settings.bits));
    }
    return clip.get();
  }
  std::unique_ptr<Golden>& known = golden_[choice.name];
  if (known == nullptr) known = std::make_unique<Golden>(ReadGolden(plan_.golden, choice.name));
  if (clip == nullptr) {
    ClipShape shape = known->shape;
    shape.frames = std::min(shape.frames, choice.frames);
    clip = std::make_unique<Clip>(Clip::Read(plan_.clips, choice.name, shape));
  }
  *golden = known.get();
  return clip.get();
}

void Certification::Prepare(const OnSkip& on_skip) {
  std::set<std::tuple<std::string, std::string, std::string>> skips;
  documented_ = ReadDocumentedResults(nlohmann::json::parse(driver_.control().api_table()));
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
      for (const Settings& settings : expansion.settings) AddGroup(suite, scenario, settings);
    }
  }
  for (const auto& [name, what, reason] : skips) on_skip({name, what, reason});
}

void Certification::AddGroup(const Suite& suite, const Scenario& scenario,
                             const Settings& settings) {
  auto group = std::make_unique<Group>();
  group->suite = &suite;
  group->scenario = &scenario;
  group->settings = settings;
  const ClipChoice choice = LargeEnough(scenario.clip ? *scenario.clip : suite.clip, settings);
  group->clip = ClipFor(choice, settings, &group->golden);
  if (!choice.name.empty()) group->settings.bits = group->clip->shape().bits;
  groups_.push_back(std::move(group));
}

CaseContext Certification::ContextOf(const Group& group) const {
  CaseContext context{port_, driver_, *group.clip, *group.scenario, group.settings, {}};
  context.promises.retry_close = port_.Can(CULPRIT_CAN_RETRY_CLOSE);
  context.promises.declares = [this](const std::string& kind, const std::string& where) {
    return port_.Declares(kind, where);
  };
  context.baseline = group.results.contains(0) ? &group.baseline : nullptr;
  context.expected = !group.expected.empty()   ? &group.expected
                     : group.golden != nullptr ? &group.golden->scores
                                               : nullptr;
  return context;
}

ChildPool::Task Certification::NewTask(Group& group, std::function<void(ChildLink&)> body) {
  ChildPool::Task task;
  task.body = std::move(body);
  task.case_limit = std::chrono::seconds(group.suite->timeout_s);
  task.wanted = [this, &group] { return !stopped_ && group.abandoned.empty(); };
  task.control = &driver_.control();
  return task;
}

void Certification::StartBaseline(Group& group) {
  ++group.outstanding;
  ++planned_;
  ChildPool::Task task = NewTask(group, [this, &group](ChildLink& link) {
    const ScoreExpectation& scores = group.scenario->expect.scores;
    if (scores.kind == ScoreExpectation::Kind::kSameAs) {
      const Settings other = Changed(group.settings, scores.same_as);
      CaseContext context = ContextOf(group);
      const CaseContext other_context{context.port,     context.driver, context.clip,
                                      context.scenario, other,          context.promises};
      CaseRunner runner(other_context, link.box());
      runner.Run(0, group.scenario->faults, false);
      group.expected = runner.record().scores;
    }
    const CaseContext context = ContextOf(group);
    CaseRunner runner(context, link.box());
    const CaseResult result = runner.Run(0, group.scenario->faults, true);
    link.Send(nlohmann::json{{"case", ToJson(result)},
                             {"scores", ScoresToJson(runner.record().scores)},
                             {"expected", ScoresToJson(group.expected)},
                             {"calls", CallsToJson(runner.swept_calls())}}
                  .dump());
  });
  task.on_line = [this, &group](std::string_view line) {
    const auto json = nlohmann::json::parse(line);
    group.baseline = ScoresFromJson(json.at("scores"));
    group.expected = ScoresFromJson(json.at("expected"));
    group.calls = CallsFromJson(json.at("calls"));
    Accept(group, CaseResultFromJson(json.at("case")));
  };
  task.on_end = [this, &group](const ChildEnd& end) {
    if (end.kind == ChildEnd::Kind::kNotStarted) return;
    if (!group.results.contains(0)) AcceptEnd(group, 0, end);
    PlanSweepOf(group);
    FinishIfDone(group);
  };
  pool_.Add(std::move(task));
}

void Certification::PlanSweepOf(Group& group) {
  if (!group.scenario->sweep || !group.results.at(0).passed()) return;
  group.sweep =
      PlanSweep(*group.scenario->sweep, group.calls, documented_, group.settings.threads != 0);
  if (plan_.replay) return ReplayIn(group);
  std::vector<uint32_t> own;
  for (uint32_t index = 1; index <= group.sweep.size(); ++index) {
    if ((index - 1) % plan_.shard.count == plan_.shard.index) own.push_back(index);
  }
  planned_ += own.size();
  group.outstanding += own.size();
  const size_t size = std::clamp<size_t>(own.size() / (plan_.jobs * 4), 1, kLargestBatch);
  for (size_t at = 0; at < own.size(); at += size) {
    StartBatch(group, {own.begin() + static_cast<ptrdiff_t>(at),
                       own.begin() + static_cast<ptrdiff_t>(std::min(at + size, own.size()))});
  }
}

// The case of the replay, whether or not the sweep would still plan it.
void Certification::ReplayIn(Group& group) {
  if (plan_.replay->index == 0) return;
  group.sweep = {plan_.replay->faults};
  ++planned_;
  ++group.outstanding;
  CaseResult wanted;
  wanted.index = 1;
  Confirm(group, std::move(wanted));
}

void Certification::StartBatch(Group& group, std::vector<uint32_t> indexes) {
  if (indexes.empty()) return;
  auto done = std::make_shared<size_t>(0);
  ChildPool::Task task = NewTask(group, [this, &group, indexes](ChildLink& link) {
    const CaseContext context = ContextOf(group);
    CaseRunner runner(context, link.box());
    for (const uint32_t index : indexes) {
      link.Send(ToJson(runner.Run(index, group.FaultsOf(index), false)).dump());
      if (runner.ThreadsLeft()) return;  // they belong to the past; the rest gets a fresh child
    }
  });
  task.on_line = [this, &group, done](std::string_view line) {
    ++*done;
    CaseResult result = CaseResultFromJson(nlohmann::json::parse(line));
    if (result.passed()) {
      Accept(group, std::move(result));
    } else {
      Confirm(group, std::move(result));
    }
  };
  task.on_end = [this, &group, done, indexes](const ChildEnd& end) {
    if (end.kind == ChildEnd::Kind::kNotStarted && stopped_) return;
    size_t next = *done;
    if (end.kind == ChildEnd::Kind::kHung && ++group.hangs == kMostHangs) {
      group.abandoned = fmt::format("{} cases hung, so the rest was not run", kMostHangs);
    }
    if (end.kind == ChildEnd::Kind::kHarnessFailed) {
      for (; next < indexes.size(); ++next) AcceptEnd(group, indexes[next], end);
    } else if (end.kind != ChildEnd::Kind::kFinished && end.kind != ChildEnd::Kind::kNotStarted &&
               next < indexes.size()) {
      CaseResult died;
      died.index = indexes[next++];
      died.faults = group.FaultsOf(died.index);
      died.fired.resize(died.faults.size());
      died.findings.push_back(FindingOf(end));
      Confirm(group, std::move(died));
    }
    if (group.abandoned.empty()) {
      StartBatch(group, {indexes.begin() + static_cast<ptrdiff_t>(next), indexes.end()});
    } else {
      group.outstanding -= indexes.size() - next;
    }
    FinishIfDone(group);
  };
  pool_.AddFirst(std::move(task));
}

// Runs a failed case again, alone and with the call log on.
void Certification::Confirm(Group& group, CaseResult in_batch) {
  const uint32_t index = in_batch.index;
  ChildPool::Task task = NewTask(group, [this, &group, index](ChildLink& link) {
    const CaseContext context = ContextOf(group);
    CaseRunner runner(context, link.box());
    link.Send(ToJson(runner.Run(index, group.FaultsOf(index), true)).dump());
  });
  task.on_line = [this, &group, in_batch](std::string_view line) {
    CaseResult alone = CaseResultFromJson(nlohmann::json::parse(line));
    if (alone.passed() && !in_batch.passed()) {
      alone = in_batch;
      alone.only_after_others = true;
    }
    Accept(group, std::move(alone));
  };
  task.on_end = [this, &group, index, in_batch](const ChildEnd& end) {
    if (end.kind == ChildEnd::Kind::kNotStarted) {
      group.results[index] = in_batch;
      --group.outstanding;
    }
    if (!group.results.contains(index)) AcceptEnd(group, index, end);
    FinishIfDone(group);
  };
  pool_.AddFirst(std::move(task));
}

void Certification::Accept(Group& group, CaseResult result) {
  --group.outstanding;
  ++done_;
  for (const Finding& finding : result.findings) {
    stopped_ |= finding.IsError() && finding.id == plan_.stop_at;
  }
  const uint32_t index = result.index;
  group.results[index] = std::move(result);
}

// The case ended with its child.
void Certification::AcceptEnd(Group& group, uint32_t index, const ChildEnd& end) {
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
  }
  Accept(group, std::move(result));
}

void Certification::FinishIfDone(Group& group) {
  if (group.outstanding == 0) group.finished = true;
  while (reported_ < groups_.size() && groups_[reported_]->finished) Report(*groups_[reported_++]);
}

void Certification::Report(Group& group) {
  GroupResult result;
  result.suite = group.suite->name;
  result.suite_version = group.suite->version;
  result.scenario = group.scenario->name;
  result.settings = group.settings;
  result.planned = 1 + group.sweep.size();
  result.abandoned = group.abandoned;
  const auto undisturbed = group.results.find(0);
  if (group.scenario->sweep && result.abandoned.empty() && undisturbed != group.results.end() &&
      !undisturbed->second.passed()) {
    result.abandoned = "the run without the sweep's faults failed, so the sweep was not run";
  }
  for (auto& [index, one] : group.results) {
    if (one.index != 0 && one.fired_total() == 0 && one.passed()) ++result.unreached;
    result.cases.push_back(std::move(one));
  }
  on_group_(result);
  group.results.clear();
  group.baseline.clear();
}

void Certification::Run(const OnGroup& on_group, const OnSkip& on_skip,
                        const OnProgress& on_progress) {
  on_group_ = on_group;
  Prepare(on_skip);
  for (const auto& group : groups_) StartBaseline(*group);
  pool_.Run([&] { on_progress(done_, planned_); });
  for (; reported_ < groups_.size(); ++reported_) {
    Group& group = *groups_[reported_];
    group.abandoned = fmt::format("the run was stopped at the first {}", plan_.stop_at);
    if (!group.results.empty()) Report(group);
  }
  on_progress(done_, planned_);
}

}  // namespace culprit::suites
