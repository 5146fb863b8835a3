// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_HAMMER_HAMMER_FIXTURE_H_
#define FAKEDRIVER_HAMMER_HAMMER_FIXTURE_H_

#include <functional>

#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {

constexpr unsigned kHands = 8;

inline void CountHostCall(void* counter) { ++*static_cast<std::atomic<uint64_t>*>(counter); }

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
    Ok(cu.cuModuleLoadData(&shared_.module, kAddOne.c_str()));
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
    if (const CUevent event = shared_.handed_over.exchange(nullptr))
      Ok(cu.cuEventDestroy_v2(event));
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

  Shared shared_;
};

}  // namespace culprit::fakedriver::hammer

#endif  // FAKEDRIVER_HAMMER_HAMMER_FIXTURE_H_
