// SPDX-License-Identifier: Apache-2.0
//
// Eight threads call entries of every family, and one works the control table meanwhile. Under a
// thread sanitizer this is where races of the fake with itself show.
#include <filesystem>
#include <functional>

#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {
namespace {

using ::testing::IsEmpty;

constexpr unsigned kHands = 8;

void CountHostCall(void* counter) { ++*static_cast<std::atomic<uint64_t>*>(counter); }

std::vector<NamedRound> AllRounds() {
  std::vector<NamedRound> all;
  for (auto family : {ContextRounds, StreamRounds, GraphRounds, CodeRounds, MemoryRounds,
                      MappingRounds}) {
    const std::vector<NamedRound> rounds = family();
    all.insert(all.end(), rounds.begin(), rounds.end());
  }
  return all;
}

class HammerTest : public testing::DriverTest {
 protected:
  // `body` on each of the threads, with the shared context current, all at the same time.
  void InManyHands(const std::function<void(Hand&)>& body) {
    std::atomic<unsigned> waiting{kHands};
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < kHands; ++number) {
      threads.emplace_back([&, number] {
        Hand hand{cu, shared_, std::mt19937(number)};
        Ok(cu.cuCtxSetCurrent(shared_.context));
        for (--waiting; waiting != 0;) std::this_thread::yield();
        body(hand);
        Ok(cu.cuCtxSetCurrent(nullptr));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  void MakeShared() {
    Ok(cu.cuDevicePrimaryCtxRetain(&shared_.context, 0));
    Ok(cu.cuCtxSetCurrent(shared_.context));
    shared_.stream = NewStream();
    shared_.event = NewEvent();
    Ok(cu.cuModuleLoadData(&shared_.module, kAddOne));
    Ok(cu.cuModuleGetFunction(&shared_.add_one, shared_.module, "add_one"));
    Ok(cu.cuMemAlloc_v2(&shared_.memory, 4096));
    Ok(cu.cuMemsetD32_v2(shared_.memory, 123, 1024));
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
    Ok(cu.cuMemPoolCreate(&shared_.pool, &properties));
    Ok(cu.cuGraphCreate(&shared_.graph, 0));
    CUDA_HOST_NODE_PARAMS count{};
    count.fn = CountHostCall;
    count.userData = &shared_.host_calls;
    CUgraphNode node = nullptr;
    Ok(cu.cuGraphAddHostNode(&node, shared_.graph, nullptr, 0, &count));
  }

  void GiveSharedBack() {
    if (const CUevent event = shared_.handed_over.exchange(nullptr)) Ok(cu.cuEventDestroy_v2(event));
    Ok(cu.cuStreamSynchronize(shared_.stream));
    Ok(cu.cuGraphDestroy(shared_.graph));
    Ok(cu.cuMemPoolDestroy(shared_.pool));
    Ok(cu.cuMemFree_v2(shared_.memory));
    Ok(cu.cuModuleUnload(shared_.module));
    Ok(cu.cuEventDestroy_v2(shared_.event));
    Ok(cu.cuStreamDestroy_v2(shared_.stream));
    Ok(cu.cuCtxSetCurrent(nullptr));
    Ok(cu.cuDevicePrimaryCtxRelease_v2(0));
  }

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
    fake_.AddPlan("faults:\n  - {entry: cuDriverGetVersion, nth: 3, before: CUDA_ERROR_UNKNOWN, optional: true}\n");
    fake_.CallLog();
    fake_.LiveObjects();
    fake_.Findings();
    fake_.UnfiredFaults();
    std::vector<culprit_logged_call> calls(64);
    const size_t logged = table.logged_calls(calls.data(), calls.size());
    const void* frames[8];
    if (logged != 0) table.logged_stack(calls[0].seq, frames, 8);
    culprit_launches launches{};
    launches.size = sizeof launches;
    table.launches(&launches);
    EXPECT_LE(launches.reused, launches.all);
    EXPECT_LE(fake_.CallsOf("cuMemAlloc_v2"), fake_.Calls());
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

  Shared shared_;
};

struct Case {
  std::string policy;
  std::string reuse;
  bool trace;
};

std::string Name(const Case& of) {
  return of.policy + (of.reuse == "never" ? "" : "_reused") + (of.trace ? "_traced" : "");
}
void PrintTo(const Case& of, std::ostream* out) { *out << Name(of); }

class EveryPolicy : public HammerTest, public ::testing::WithParamInterface<Case> {};

TEST_P(EveryPolicy, GivesEveryThreadItsAnswersAndEverythingBack) {
  constexpr int kRoundsOfAHand = 60;
  const std::string trace = ::testing::TempDir() + "hammer_" + std::to_string(getpid()) + ".jsonl";
  Start({{"policy", GetParam().policy},
         {"handle_reuse", GetParam().reuse},
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
  std::filesystem::remove(trace);
}

INSTANTIATE_TEST_SUITE_P(Hammer, EveryPolicy,
                         ::testing::Values(Case{"eager", "never", false},
                                           Case{"timed", "never", true},
                                           Case{"timed", "newest-first", false},
                                           Case{"lazy", "newest-first", true},
                                           Case{"random", "never", false}),
                         [](const auto& info) { return Name(info.param); });

// Each object is destroyed by all threads at once: a program's error, of which one wins.
TEST_F(HammerTest, OfManyDestroyersOfOneObjectOneSucceeds) {
  constexpr size_t kObjects = 20;
  Start();
  MakeShared();
  std::vector<CUevent> events(kObjects);
  std::vector<CUstream> streams(kObjects);
  std::vector<CUgraph> graphs(kObjects);
  std::vector<CUmodule> modules(kObjects);
  std::vector<CUdeviceptr> blocks(kObjects);
  std::vector<void*> pinned(kObjects);
  std::vector<CUcontext> contexts(kObjects);
  for (size_t i = 0; i < kObjects; ++i) {
    events[i] = NewEvent();
    streams[i] = NewStream();
    Ok(cu.cuGraphCreate(&graphs[i], 0));
    Ok(cu.cuModuleLoadData(&modules[i], kAddOne));
    Ok(cu.cuMemAlloc_v2(&blocks[i], 64));
    Ok(cu.cuMemHostAlloc(&pinned[i], 64, 0));
    contexts[i] = NewContext();
    Ok(cu.cuCtxPopCurrent_v2(nullptr));
  }
  std::atomic<size_t> succeeded{0};
  InManyHands([&](Hand& hand) {
    auto count = [&](CUresult result) { succeeded += result == CUDA_SUCCESS ? 1 : 0; };
    for (size_t i = 0; i < kObjects; ++i) {
      count(hand.cu.cuEventDestroy_v2(events[i]));
      count(hand.cu.cuStreamDestroy_v2(streams[i]));
      count(hand.cu.cuGraphDestroy(graphs[i]));
      count(hand.cu.cuModuleUnload(modules[i]));
      count(hand.cu.cuMemFree_v2(blocks[i]));
      count(hand.cu.cuMemFreeHost(pinned[i]));
      count(hand.cu.cuCtxDestroy_v2(contexts[i]));
    }
  });
  EXPECT_EQ(succeeded, 7 * kObjects);
  GiveSharedBack();
  EXPECT_THAT(fake_.LiveObjects(), IsEmpty());
}

// Nobody but the threads retains the primary context: it ends and comes back all the time.
TEST_F(HammerTest, APrimaryContextComesAndGoes) {
  constexpr int kTurns = 40;
  Start();
  std::atomic<bool> done{false};
  std::thread control([&] {
    while (!done) {
      fake_.LiveObjects();
      fake_.Findings();
    }
  });
  InManyHands([&](Hand& hand) {
    for (int i = 0; i < kTurns; ++i) {
      CUcontext primary = nullptr;
      Ok(hand.cu.cuDevicePrimaryCtxRetain(&primary, 0));
      Ok(hand.cu.cuCtxSetCurrent(primary));
      {
        OwnStream stream(hand);
        OwnWords(hand, 16, 5).Are(5);
      }
      Ok(hand.cu.cuCtxSetCurrent(nullptr));
      Ok(hand.cu.cuDevicePrimaryCtxRelease_v2(0));
    }
  });
  done = true;
  control.join();
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_THAT(fake_.LiveObjects(), IsEmpty());
}

// Injected errors hide that something was made or ended, while control looks.
TEST_F(HammerTest, HiddenEffectsAreCountedOnce) {
  constexpr uint32_t kTurns = 30;
  Start();
  MakeShared();
  for (const char* entry : {"cuGraphCreate", "cuMemAlloc_v2", "cuEventDestroy_v2", "cuMemFree_v2"}) {
    fake_.AddPlan(std::string("faults: [{entry: ") + entry +
                  ", after: CUDA_ERROR_UNKNOWN, every: 2, optional: true}]");
  }
  std::atomic<bool> done{false};
  std::thread control([&] {
    while (!done) fake_.LiveObjects();
  });
  std::atomic<uint32_t> hidden{0};
  InManyHands([&](Hand& hand) {
    for (uint32_t i = 0; i < kTurns; ++i) {
      CUgraph graph = nullptr;
      CUdeviceptr memory = 0;
      CUevent event = nullptr;
      if (hand.cu.cuGraphCreate(&graph, 0) != CUDA_SUCCESS) {
        ++hidden;
      } else {
        Ok(hand.cu.cuGraphDestroy(graph));
      }
      if (hand.cu.cuMemAlloc_v2(&memory, 64) != CUDA_SUCCESS) {
        ++hidden;
      } else {
        while (hand.cu.cuMemFree_v2(memory) != CUDA_SUCCESS) {
        }
      }
      Ok(hand.cu.cuEventCreate(&event, 0));
      while (hand.cu.cuEventDestroy_v2(event) != CUDA_SUCCESS) {
      }
    }
  });
  done = true;
  control.join();
  fake_.ClearFaults();
  EXPECT_GT(hidden, 0u);
  EXPECT_EQ(fake_.Live().orphaned, hidden);
  GiveSharedBack();
  EXPECT_THAT(Rules(), IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver::hammer
