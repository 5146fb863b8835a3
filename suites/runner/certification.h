// SPDX-License-Identifier: Apache-2.0
//
// The host's work: every scenario of every suite under every setting, each with its sweep, over a
// pool of children.
//
// A group is one scenario under one setting. Its first child runs it without the sweep's faults and
// reports scores and calls; from the calls the sweep is planned, and its cases are handed to
// children in batches. A case that fails in a batch is run again alone, so that what is reported
// can be replayed. Groups are reported whole and in the order of the plan, whatever order they
// finish in.
#ifndef SUITES_RUNNER_CERTIFICATION_H_
#define SUITES_RUNNER_CERTIFICATION_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/case_result.h"
#include "suites/runner/case_runner.h"
#include "suites/runner/child_pool.h"
#include "suites/runner/golden.h"
#include "suites/runner/group_result.h"
#include "suites/runner/suite_expansion.h"

namespace culprit::suites {

struct Shard {
  uint32_t index = 0;  // from 0
  uint32_t count = 1;
};

// One case to run again, as a replay file describes it.
struct ReplayRequest {
  std::string scenario;
  Settings settings;
  std::vector<Fault> faults;
  uint32_t index = 0;  // 0: the scenario itself
};

struct CertificationPlan {
  std::vector<Suite> suites;
  Selection selection;
  Shard shard;
  size_t jobs = 2;
  std::string clips;                    // folder of clip files
  std::string golden;                   // folder of golden scores
  std::optional<ReplayRequest> replay;  // this case only
  std::string stop_at;  // the first finding with this id ends the run; empty: nothing does
};

class Certification {
 public:
  Certification(const PortLibrary& port, const DriverUnderTest& driver, CertificationPlan plan);
  ~Certification();

  using OnGroup = std::function<void(const GroupResult&)>;
  using OnSkip = std::function<void(const Skip&)>;
  using OnProgress = std::function<void(uint64_t done, uint64_t planned)>;
  void Run(const OnGroup& on_group, const OnSkip& on_skip, const OnProgress& on_progress);

 private:
  struct Group;
  void Prepare(const OnSkip& on_skip);
  void AddGroup(const Suite& suite, const Scenario& scenario, const Settings& settings);
  // A pattern that every extractor of the settings accepts.
  ClipChoice LargeEnough(ClipChoice choice, const Settings& settings) const;
  const Clip* ClipFor(const ClipChoice& choice, const Settings& settings, const Golden** golden);
  CaseContext ContextOf(const Group& group) const;
  ChildPool::Task NewTask(Group& group, std::function<void(ChildLink&)> body);

  void StartBaseline(Group& group);
  void PlanSweepOf(Group& group);
  void ReplayIn(Group& group);
  void StartBatch(Group& group, std::vector<uint32_t> indexes);
  void Confirm(Group& group, CaseResult in_batch);
  void Accept(Group& group, CaseResult result);
  void AcceptEnd(Group& group, uint32_t index, const ChildEnd& end);
  void FinishIfDone(Group& group);
  void Report(Group& group);

  const PortLibrary& port_;
  const DriverUnderTest& driver_;
  CertificationPlan plan_;
  ChildPool pool_;
  DocumentedResults documented_;
  std::map<std::string, std::unique_ptr<Clip>> clips_;
  std::map<std::string, std::unique_ptr<Golden>> golden_;
  std::vector<std::unique_ptr<Group>> groups_;
  size_t reported_ = 0;
  uint64_t done_ = 0;
  uint64_t planned_ = 0;
  bool stopped_ = false;
  OnGroup on_group_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CERTIFICATION_H_
