// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/exploration.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "suites/interleavings/scheduler.h"
#include "suites/runner/case_runner.h"
#include "suites/runner/child_answers.h"
#include "suites/runner/child_pool.h"
#include "suites/runner/clip.h"
#include "suites/runner/suite_reader.h"
#include "suites/runner/sweep.h"

namespace culprit::interleavings {
namespace {

using suites::CaseResult;
using suites::Fault;

constexpr auto kRunLimit = std::chrono::seconds(30);

// The life cycle that is explored.
constexpr const char* kSuite = R"(suite: interleavings
version: 1
title: A threaded run has the scores of the serial one, however its threads take turns
subject: {kind: extractor, needs: [threads]}
steps: [state_init, open, use, import, submit, flush, scores, close, state_free]
scenarios:
  - {name: life_cycle, expect: {scores: {same_as: {threads: 0}}}}
)";

std::unique_ptr<Strategy> NewStrategy(const ExplorationPlan& plan) {
  switch (plan.strategy) {
    case StrategyKind::kDepthFirst:
      return DepthFirst(plan.preemptions, plan.runs);
    case StrategyKind::kProbabilistic:
      return Probabilistic(plan.seed, plan.depth, plan.runs);
    case StrategyKind::kRandom:
      return Random(plan.seed, plan.runs);
    case StrategyKind::kFixed:
      return Fixed(Schedule::Parse(plan.schedule));
  }
  throw std::invalid_argument("strategy");
}

// Every driver call is a point where threads are drawn; depth first begins with none.
CallPoints FirstCallPoints(const ExplorationPlan& plan) {
  if (plan.strategy == StrategyKind::kFixed) return Schedule::Parse(plan.schedule).call_points;
  return plan.strategy == StrategyKind::kDepthFirst ? CallPoints::kNone : CallPoints::kAll;
}

void AtDriverCall(const char* entry) {
  if (TheScheduler().Manages()) TheScheduler().PointAtCall(ReachOf(entry));
}

// Where a fault is planned, a call counts towards the nth of its entry, whatever it reaches.
void AtCountedDriverCall(const char*) {
  if (TheScheduler().Manages()) TheScheduler().PointAtCall(CallReach::kDriver);
}

class Exploration {
 public:
  Exploration(const suites::PortLibrary& port, const suites::DriverUnderTest& driver,
              const ExplorationPlan& plan)
      : port_(port),
        driver_(driver),
        plan_(plan),
        suite_(suites::ParseSuite(kSuite, "interleavings.yaml")),
        clip_(suites::Clip::Pattern(plan.width, plan.height, plan.frames, plan.settings.bits)),
        serial_(plan.settings) {
    serial_.threads = 0;
  }

  Explored Run();

 private:
  suites::CaseContext ContextOf(const suites::Settings& settings) const;
  // Runs `body` in a child with a fresh driver; what it sends is added up.
  void InChild(std::function<void(suites::ChildLink&)> body, const std::vector<Fault>& faults);
  void RunSerial();
  void ExploreWith(const std::vector<Fault>& faults);
  void RunSchedules(const std::vector<Fault>& faults, suites::ChildLink& link) const;
  std::vector<std::vector<Fault>> FaultsToTry() const;

  const suites::PortLibrary& port_;
  const suites::DriverUnderTest& driver_;
  const ExplorationPlan& plan_;
  suites::Suite suite_;
  suites::Clip clip_;
  suites::Settings serial_;
  std::vector<suites::ScoreSeries> scores_;
  std::vector<suites::CallMade> calls_;
  uint64_t outside_ = 0;
  Explored explored_;
};

suites::CaseContext Exploration::ContextOf(const suites::Settings& settings) const {
  suites::CaseContext context{port_, driver_, clip_, suite_.scenarios.front(), settings, {}};
  context.promises.retry_close = port_.Can(CULPRIT_CAN_RETRY_CLOSE);
  context.promises.declares = [this](const std::string& kind, const std::string& where) {
    return port_.Declares(kind, where);
  };
  if (!scores_.empty()) {
    context.baseline = &scores_;
    context.expected = &scores_;
  }
  return context;
}

void Exploration::InChild(std::function<void(suites::ChildLink&)> body,
                          const std::vector<Fault>& faults) {
  suites::ChildPool pool(1);
  suites::ChildPool::Task task;
  task.body = std::move(body);
  task.case_limit = kRunLimit;
  task.control = &driver_.control();
  task.wanted = [] { return true; };
  task.on_line = [this](std::string_view line) {
    const auto json = nlohmann::json::parse(line);
    if (const auto scores = json.find("scores"); scores != json.end()) {
      scores_ = suites::ScoresFromJson(*scores);
      calls_ = suites::CallsFromJson(json.at("calls"));
      outside_ = json.at("outside");
    } else {
      const Explored part = ExploredFromJson(json);
      explored_.runs += part.runs;
      explored_.exhausted &= part.exhausted;
      explored_.points = std::max(explored_.points, part.points);
      explored_.decisions = std::max(explored_.decisions, part.decisions);
      explored_.threads = std::max(explored_.threads, part.threads);
      if (part.failed && !explored_.failed) {
        explored_.failed = part.failed;
        explored_.schedule = part.schedule;
      }
    }
  };
  task.on_end = [this, &faults](const suites::ChildEnd& end) {
    if (end.kind == suites::ChildEnd::Kind::kFinished || explored_.failed) return;
    if (end.kind == suites::ChildEnd::Kind::kHarnessFailed) throw std::runtime_error(end.Text());
    CaseResult& result = explored_.failed.emplace();
    result.faults = faults;
    result.fired.resize(faults.size());
    suites::Finding& finding = result.findings.emplace_back();
    finding.id = end.kind == suites::ChildEnd::Kind::kHung ? "port.hang" : "port.crash";
    finding.message = "the subject " + end.Text();
    finding.step = end.doing;
    if (!end.stacks.empty()) finding.details["stack"] = end.stacks.front();
  };
  pool.Add(std::move(task));
  pool.Run();
}

// What a serial run of the same frames comes to.
void Exploration::RunSerial() {
  InChild(
      [this](suites::ChildLink& link) {
        const suites::CaseContext context = ContextOf(serial_);
        suites::CaseRunner runner(context, link.box());
        const CaseResult result = runner.Run(0, {}, {.log = true});
        uint64_t outside = 0;
        const auto calls =
            suites::CallsOfSteps(driver_.table(), runner.log(), runner.record(), 0, &outside);
        link.Send(nlohmann::json{
            {"scores", suites::ScoresToJson(runner.record().scores)},
            {"calls", suites::CallsToJson(calls)},
            {"outside",
             outside}}.dump());
      },
      {});
  if (explored_.failed) {
    throw std::runtime_error("the serial run failed: " +
                             explored_.failed->findings.front().message);
  }
  if (scores_.empty()) throw std::runtime_error("the serial run has no scores to compare with");
}

std::vector<std::vector<Fault>> Exploration::FaultsToTry() const {
  if (plan_.strategy == StrategyKind::kFixed) return {plan_.fixed_faults};
  std::vector<std::vector<Fault>> list = {{}};
  if (!plan_.faults) return list;
  const suites::SinglesPlan singles(suites::Sweep{}, calls_, driver_.table(), true, outside_);
  for (uint64_t i = 0; i < singles.size(); ++i) list.push_back(singles.At(i));
  return list;
}

// Only one thread runs at a time: on one processor each hands the turn to the next without another
// processor that has to wake up for it, which takes many times as long on a busy machine.
void KeepToOneProcessor() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  CPU_SET(sched_getcpu(), &mine);
  sched_setaffinity(0, sizeof(mine), &mine);
}

// In the child.
void Exploration::RunSchedules(const std::vector<Fault>& faults, suites::ChildLink& link) const {
  const suites::CaseContext context = ContextOf(plan_.settings);
  suites::CaseRunner runner(context, link.box());
  std::unique_ptr<Strategy> strategy = NewStrategy(plan_);
  KeepToOneProcessor();
  Scheduler& scheduler = TheScheduler();
  scheduler.SetCallPoints(FirstCallPoints(plan_));
  Explored part;
  const auto account = [&part](const Scheduler::Run& run) {
    ++part.runs;
    part.points = std::max(part.points, run.points);
    part.decisions = std::max<uint64_t>(part.decisions, run.schedule.choices.size());
    part.threads = std::max(part.threads, run.threads);
  };
  CallPoints call_points = CallPoints::kNone;  // when the run began
  const auto fail = [&](CaseResult result, Schedule schedule) {
    schedule.call_points = call_points;
    part.failed = std::move(result);
    part.schedule = schedule.Text();
    link.Send(ToJson(part).dump());
  };
  const uint32_t index = faults.empty() ? 0 : 1;
  while (strategy->Next()) {
    call_points = scheduler.call_points();
    scheduler.Begin(*strategy, [&](const std::string& who) {
      CaseResult result;
      result.index = index;
      result.faults = faults;
      result.fired.resize(faults.size());
      result.findings.push_back(
          {.id = "port.hang", .message = "deadlock: " + who, .step = link.box().doing});
      account(scheduler.run());
      fail(std::move(result), scheduler.run().schedule);
      std::_Exit(0);
    });
    driver_.control().before_call(faults.empty() ? &AtDriverCall : &AtCountedDriverCall);
    const CaseResult result = runner.Run(index, faults, {.log = true, .describe = true});
    driver_.control().before_call(nullptr);
    const Scheduler::Run run = scheduler.End();
    account(run);
    if (!result.passed()) return fail(result, run.schedule);
    // Orders were left out that now count: from the beginning.
    if (scheduler.MoreCallsBecamePoints() && plan_.strategy == StrategyKind::kDepthFirst) {
      strategy = NewStrategy(plan_);
    }
    if (run.left != 0) {
      throw std::runtime_error(fmt::format(
          "{} threads of the subject outlive its life cycle, which cannot be explored", run.left));
    }
  }
  part.exhausted = strategy->Exhausted();
  link.Send(ToJson(part).dump());
}

void Exploration::ExploreWith(const std::vector<Fault>& faults) {
  InChild([this, &faults](suites::ChildLink& link) { RunSchedules(faults, link); }, faults);
}

Explored Exploration::Run() {
  const culprit_control_table& control = driver_.control();
  if (control.size < offsetof(culprit_control_table, before_call) + sizeof(control.before_call)) {
    throw std::runtime_error(driver_.path() + ": this driver cannot hold its callers");
  }
  RunSerial();
  explored_.exhausted = true;
  const std::vector<std::vector<Fault>> list = FaultsToTry();
  explored_.faults = list.size() - (list.front().empty() ? 1 : 0);
  for (const std::vector<Fault>& faults : list) {
    ExploreWith(faults);
    if (explored_.failed) break;
  }
  explored_.exhausted &= !explored_.failed;
  return std::move(explored_);
}

}  // namespace

Explored Explore(const suites::PortLibrary& port, const suites::DriverUnderTest& driver,
                 const ExplorationPlan& plan) {
  return Exploration(port, driver, plan).Run();
}

}  // namespace culprit::interleavings
