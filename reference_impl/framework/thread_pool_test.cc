// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

namespace culprit::reference {
namespace {

TEST(ThreadPoolTest, AWorkerKeepsTheOrderOfItsJobs) {
  ThreadPool pool(3);
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    pool.Enqueue(1, i, [&order, i] {
      order.push_back(i);
      return Status();
    });
  }
  pool.Wait();
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(ThreadPoolTest, ReportsTheFailureOfTheEarliestFrame) {
  ThreadPool pool(2);
  std::atomic<bool> late_failed = false;
  pool.Enqueue(0, 7, [&] {
    late_failed = true;
    late_failed.notify_all();
    return ExtractorFailure(-EIO, "frame 7");
  });
  pool.Enqueue(1, 2, [&] {
    late_failed.wait(false);
    return ExtractorFailure(-EIO, "frame 2");
  });
  pool.Wait();
  EXPECT_TRUE(pool.failed());
  EXPECT_EQ(pool.TakeFailure().error().message, "frame 2");
  EXPECT_FALSE(pool.failed());
}

TEST(ThreadPoolTest, EndsWithItsJobsDone) {
  std::atomic<int> done = 0;
  {
    ThreadPool pool(4);
    for (uint32_t i = 0; i < 40; ++i) {
      pool.Enqueue(i % 4, i, [&done] {
        ++done;
        return Status();
      });
    }
  }
  EXPECT_EQ(done, 40);
}

}  // namespace
}  // namespace culprit::reference
