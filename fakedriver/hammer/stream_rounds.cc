// SPDX-License-Identifier: Apache-2.0
// Streams, events and host functions.
#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {
namespace {

void Count(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }
void CountCallback(CUstream, CUresult result, void* counter) {
  EXPECT_EQ(result, CUDA_SUCCESS);
  Count(counter);
}

bool DoneOrNot(CUresult result) { return result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY; }

void StreamProperties(Hand& hand) {
  const auto& cu = hand.cu;
  CUstream stream = nullptr;
  Ok(cu.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
  unsigned flags = 0;
  Ok(cu.cuStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, unsigned{CU_STREAM_NON_BLOCKING});
  int priority = 0;
  Ok(cu.cuStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, -1);
  unsigned long long id = 0;
  Ok(cu.cuStreamGetId(stream, &id));
  CUstreamAttrValue value{};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  Ok(cu.cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  value = {};
  Ok(cu.cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_YIELD);
  Ok(cu.cuStreamCopyAttributes(stream, hand.shared.stream));
  Ok(cu.cuStreamQuery(stream));
  Ok(cu.cuStreamDestroy_v2(stream));
}

void WorkInOrder(Hand& hand) {
  const auto& cu = hand.cu;
  const OwnWords words(hand, 64, 0);
  OwnStream stream(hand);
  std::atomic<int> counted{0};
  Ok(cu.cuMemsetD32Async(words, 5, 64, stream));
  Ok(cu.cuLaunchHostFunc(stream, Count, &counted));
  Ok(cu.cuStreamAddCallback(stream, CountCallback, &counted, 0));
  EXPECT_TRUE(DoneOrNot(cu.cuStreamQuery(stream)));
  Ok(cu.cuStreamWriteValue32_v2(stream, words, 5, 0));
  Ok(cu.cuStreamWaitValue32_v2(stream, words, 5, CU_STREAM_WAIT_VALUE_EQ));
  Ok(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(counted, 2);
  words.Are(5);
}

void OwnEvents(Hand& hand) {
  const auto& cu = hand.cu;
  const OwnWords words(hand, 16, 0);
  OwnStream first(hand);
  OwnStream second(hand);
  CUevent start = nullptr, end = nullptr;
  Ok(cu.cuEventCreate(&start, CU_EVENT_DEFAULT));
  Ok(cu.cuEventCreate(&end, hand.Below(2) != 0 ? CU_EVENT_BLOCKING_SYNC : CU_EVENT_DEFAULT));
  Ok(cu.cuEventRecord(start, first));
  Ok(cu.cuMemsetD32Async(words, 1, 16, first));
  Ok(cu.cuEventRecord(end, first));
  Ok(cu.cuStreamWaitEvent(second, end, 0));
  Ok(cu.cuMemsetD32Async(words, 2, 16, second));
  EXPECT_TRUE(DoneOrNot(cu.cuEventQuery(end)));
  Ok(cu.cuEventSynchronize(end));
  float milliseconds = -1;
  Ok(cu.cuEventElapsedTime_v2(&milliseconds, start, end));
  EXPECT_GE(milliseconds, 0);
  Ok(cu.cuStreamSynchronize(second));
  words.Are(2);
  Ok(cu.cuEventDestroy_v2(start));
  Ok(cu.cuEventDestroy_v2(end));
}

// One stream and one event of everybody's: only that nothing is refused can be said.
void SharedStreamAndEvent(Hand& hand) {
  const auto& cu = hand.cu;
  const OwnWords words(hand, 16, 0);
  Ok(cu.cuMemsetD32Async(words, 7, 16, hand.shared.stream));
  Ok(cu.cuEventRecord(hand.shared.event, hand.shared.stream));
  EXPECT_TRUE(DoneOrNot(cu.cuEventQuery(hand.shared.event)));
  EXPECT_TRUE(DoneOrNot(cu.cuStreamQuery(hand.shared.stream)));
  {
    OwnStream own(hand);
    Ok(cu.cuStreamWaitEvent(own, hand.shared.event, 0));
  }
  Ok(cu.cuEventSynchronize(hand.shared.event));
  Ok(cu.cuStreamSynchronize(hand.shared.stream));
  words.Are(7);
}

// The default streams: one of all threads, one of each.
void DefaultStreams(Hand& hand) {
  const auto& cu = hand.cu;
  const OwnWords words(hand, 16, 0);
  const CUstream stream = hand.Below(2) != 0 ? CU_STREAM_LEGACY : CU_STREAM_PER_THREAD;
  Ok(cu.cuMemsetD32Async(words, 9, 16, stream));
  Ok(cu.cuStreamSynchronize(stream));
  words.Are(9);
}

void HandOver(Hand& hand) {
  CUevent event = nullptr;
  Ok(hand.cu.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  Ok(hand.cu.cuEventRecord(event, hand.shared.stream));
  event = hand.shared.handed_over.exchange(event);
  if (event != nullptr) Ok(hand.cu.cuEventDestroy_v2(event));
}

}  // namespace

std::vector<NamedRound> StreamRounds() {
  return {{"stream properties", StreamProperties},
          {"work in order", WorkInOrder},
          {"own events", OwnEvents},
          {"shared stream", SharedStreamAndEvent},
          {"default streams", DefaultStreams},
          {"hand over", HandOver}};
}

}  // namespace culprit::fakedriver::hammer
