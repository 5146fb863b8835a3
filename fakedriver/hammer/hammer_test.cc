// SPDX-License-Identifier: Apache-2.0
//
// Eight threads call entries of every family, and one works the control table meanwhile. Under a
// thread sanitizer this is where races of the fake with itself show.
#include <filesystem>

#include "fakedriver/hammer/hammer_fixture.h"
#include "input/scratch_folder.h"

namespace culprit::fakedriver::hammer {
namespace {

using ::testing::IsEmpty;

std::vector<NamedRound> AllRounds() {
  std::vector<NamedRound> all;
  for (auto family :
       {ContextRounds, StreamRounds, GraphRounds, CodeRounds, MemoryRounds, MappingRounds}) {
    const std::vector<NamedRound> rounds = family();
    all.insert(all.end(), rounds.begin(), rounds.end());
  }
  return all;
}

struct Case {
  std::string policy;
  std::string reuse;
  bool trace;
};

std::string Name(const Case& of) {
  return of.policy + (of.reuse == "never" ? "" : "_reused") + (of.trace ? "_traced" : "");
}
void PrintTo(const Case& of, std::ostream* out) { *out << Name(of); }

class EveryPolicy : public HammerTest, public ::testing::WithParamInterface<Case> {
 protected:
  // Everything that the control table offers while others are in the driver.
  void WorkControl(unsigned turn) {
    const culprit_control_table& table = fake_.table();
    table.log_calls(turn % 4 != 0);
    table.log_stacks(turn % 2 != 0);
    table.reuse_launches(turn % 3 != 0);
    const InjectedFault fault = fake_.Inject({.entry = "cuDriverGetVersion",
                                              .sticky = true,
                                              .result = CUDA_ERROR_UNKNOWN,
                                              .optional = true});
    fake_.AddPlan(
        "faults:\n  - {entry: cuDriverGetVersion, nth: 3, before: CUDA_ERROR_UNKNOWN, optional: "
        "true}\n");
    fake_.CallLog();
    fake_.LiveObjects();
    fake_.Findings();
    fake_.UnfiredFaults();
    std::vector<culprit_logged_call> calls(64);
    const size_t logged = table.logged_calls(calls.data(), calls.size());
    const void* frames[8];
    if (logged != 0) table.logged_stack(calls[0].seq, frames, 8);
    const culprit_launches launches = fake_.Launches();
    EXPECT_LE(launches.reused, launches.all);
    const uint64_t allocations = fake_.CallsOf("cuMemAlloc_v2");  // before all, which go on growing
    EXPECT_LE(allocations, fake_.Calls());
    EXPECT_GE(fake_.Live().contexts + fake_.Live().primary_retains, 1u);
    fake_.Threads();
    fake_.Settings();
    fake_.ErrorCount();
    {
      HarnessScope harness(fake_);
      int version = 0;
      Ok(cu.cuDriverGetVersion(&version));  // nobody's faults are for the harness
    }
    fault.times_fired();
    fault.Lift();
    fake_.ClearFaults();
  }
};

TEST_P(EveryPolicy, GivesEveryThreadItsAnswersAndEverythingBack) {
  constexpr int kRoundsOfAHand = 60;
  const ScratchFolder folder;
  const std::string trace = folder / "trace.jsonl";
  Start({{"policy", GetParam().policy},
         {"handle_reuse", GetParam().reuse},
         {"idle_drain_ms", 20},
         {"trace", GetParam().trace ? trace : ""}});
  MakeShared();
  std::atomic<bool> done{false};
  std::thread control([&] {
    for (unsigned turn = 0; !done; ++turn) WorkControl(turn);
  });
  const std::vector<NamedRound> rounds = AllRounds();
  InManyHands([&](Hand& hand) {
    for (int i = 0; i < kRoundsOfAHand && !HasFailure(); ++i) {
      const NamedRound& round = rounds[hand.Below(static_cast<unsigned>(rounds.size()))];
      SCOPED_TRACE(round.name);
      round.run(hand);
    }
  });
  done = true;
  control.join();
  GiveSharedBack();
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
  const culprit_live live = fake_.Live();
  EXPECT_THAT(fake_.LiveObjects(), IsEmpty());
  EXPECT_EQ(live.primary_retains, 0u);
  EXPECT_EQ(live.device_bytes, 0u);
  EXPECT_EQ(live.host_bytes, 0u);
  fake_.Reset();
  fake_.Configure({{"trace", ""}});
  if (GetParam().trace) {
    EXPECT_GT(std::filesystem::file_size(trace), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Hammer, EveryPolicy,
                         ::testing::Values(Case{"eager", "never", false},
                                           Case{"timed", "never", true},
                                           Case{"timed", "newest-first", false},
                                           Case{"lazy", "newest-first", true},
                                           Case{"random", "never", false}),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace culprit::fakedriver::hammer
