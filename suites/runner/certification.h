// SPDX-License-Identifier: Apache-2.0
//
// The host's work: every scenario of every suite under every setting, each with its sweep, over a
// pool of children.
//
// A group is one scenario under one setting. Its first child runs it without the sweep's faults and
// reports scores and calls; from the calls the sweep is planned, and its cases are handed to
// children in batches. A child runs one life cycle after the other, with a reset of the driver
// between them, which takes a fraction of what a fork does; a case that leaves something behind,
// crashes or hangs ends its child, and the rest of the batch gets a fresh one. A case that fails in
// a batch is run again alone, so that what is reported can be replayed.
//
// Results are handed on one by one, as they come, and are not kept: there may be millions. Groups
// are reported in the order of the plan, whatever order they finish in.
#ifndef SUITES_RUNNER_CERTIFICATION_H_
#define SUITES_RUNNER_CERTIFICATION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/case_group.h"
#include "suites/runner/case_result.h"
#include "suites/runner/case_runner.h"
#include "suites/runner/child_pool.h"
#include "suites/runner/clip_shelf.h"
#include "suites/runner/failure_trace.h"
#include "suites/runner/group_result.h"
#include "suites/runner/shard.h"
#include "suites/runner/suite_expansion.h"
#include "suites/runner/waiver.h"

namespace culprit::suites {

// One case to run again, as a replay file describes it.
struct ReplayRequest {
  std::string scenario;
  Settings settings;
  std::vector<Fault> faults;
  uint32_t index = 0;   // 0: the scenario itself
  uint32_t frames = 0;  // of the clip, from the first; 0: as many as the suite says
};

// Cases of a group to run again, by the numbers that the plan gives to both.
struct Rerun {
  uint32_t group = 0;
  std::vector<uint32_t> cases;
};

struct CertificationPlan {
  std::vector<Suite> suites;
  Selection selection;
  Shard shard;
  size_t jobs = 2;
  std::string clips;                    // folder of clip files
  std::string golden;                   // folder of golden scores
  std::optional<ReplayRequest> replay;  // this case only
  // The first finding with this id ends the run; "any": the first of all; empty: nothing does.
  std::string stop_at;
  // Every sweep takes every documented result, before and after the effect, once and sticky, in
  // every step.
  bool all_singles = false;
  bool pairs = false;                   // every sweep goes on to pairs
  bool reuse_launches = true;           // of kernels whose inputs were seen before
  std::vector<Rerun> only;              // these cases of the plan and no others; empty: all
  std::vector<Waiver> never_supported;  // what they cover is left out
};

class Certification {
 public:
  Certification(const PortLibrary& port, const DriverUnderTest& driver, CertificationPlan plan);
  ~Certification();

  struct Listener {
    std::function<void(const CaseGroup&, const CaseResult&)> on_case;
    std::function<void(const GroupResult&)> on_group;  // without tally and failures
    std::function<void(const Skip&)> on_skip;
    std::function<void(uint64_t done, uint64_t planned)> on_progress;
  };
  void Run(const Listener& listener);

  // Of all life cycles whose stacks were recorded.
  const TeardownSites& sites() const { return sites_; }

 private:
  void Prepare();
  void AddGroup(const Suite& suite, const Scenario& scenario, const Settings& settings);
  CaseContext ContextOf(const CaseGroup& group) const;
  ChildPool::Task NewTask(CaseGroup& group, std::function<void(ChildLink&)> body);
  void TakeSites(const nlohmann::json& answer);

  void StartUndisturbed(CaseGroup& group);
  void PlanSweepOf(CaseGroup& group);
  void PlanPairsOf(CaseGroup& group);
  void ReplayIn(CaseGroup& group);
  bool Wanted(const CaseGroup& group, uint32_t index) const;
  void StartBatches(CaseGroup& group, const std::vector<uint32_t>& indexes);
  void StartBatch(CaseGroup& group, std::vector<uint32_t> indexes);
  bool stopped() const { return !stopped_for_.empty(); }
  void NoteHang(const ChildEnd& end);
  void EndBatch(CaseGroup& group, const std::vector<uint32_t>& indexes, size_t done,
                const ChildEnd& end);
  void Confirm(CaseGroup& group, CaseResult in_batch);
  void Accept(CaseGroup& group, const CaseResult& result);
  void AcceptEnd(CaseGroup& group, uint32_t index, const ChildEnd& end,
                 const FailureTrace* trace = nullptr);
  void FinishIfDone(CaseGroup& group);

  const PortLibrary& port_;
  const DriverUnderTest& driver_;
  CertificationPlan plan_;
  ChildPool pool_;
  ClipShelf clips_;
  std::vector<std::unique_ptr<CaseGroup>> groups_;
  size_t reported_ = 0;
  uint64_t done_ = 0;
  uint64_t planned_ = 0;
  uint32_t hangs_ = 0;
  std::string stopped_for_;  // why no further case is begun; empty: they are
  uint32_t timelines_ = 0;   // failures that were traced
  TeardownSites sites_;
  Listener listener_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CERTIFICATION_H_
