// SPDX-License-Identifier: Apache-2.0
//
// Threads that get into each other's way: over one object, over the primary context, under injected
// errors.
#include "fakedriver/hammer/hammer_fixture.h"

namespace culprit::fakedriver::hammer {
namespace {

using ::testing::IsEmpty;
using RivalsTest = HammerTest;

// Each object is destroyed by all threads at once: a program's error, of which one wins.
TEST_F(RivalsTest, OfManyDestroyersOfOneObjectOneSucceeds) {
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
    Ok(cu.cuModuleLoadData(&modules[i], kAddOne.c_str()));
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
TEST_F(RivalsTest, APrimaryContextComesAndGoes) {
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
TEST_F(RivalsTest, HiddenEffectsAreCountedOnce) {
  constexpr uint32_t kTurns = 30;
  Start();
  MakeShared();
  for (const char* entry :
       {"cuGraphCreate", "cuMemAlloc_v2", "cuEventDestroy_v2", "cuMemFree_v2"}) {
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
