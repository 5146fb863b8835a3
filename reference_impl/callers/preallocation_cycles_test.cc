// SPDX-License-Identifier: Apache-2.0
//
// Life cycles with preallocated pictures in one process: ten leave as much behind as one, on the
// driver's side and, where a sanitizer looks, on the heap.
#include <gtest/gtest.h>

#include <cstring>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/callers/score_run.h"
#include "reference_impl/clip/generated_source.h"
#include "reference_impl/port/ports.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace culprit::reference {
namespace {

class PreallocationCycles : public ::testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override {
    fake_.Reset();
    fake_.Configure({{"certify", true}});
  }

  void Run(int cycles) {
    const ClipSpec& clip = *FindClip("k64_2");
    ScoreRequest request;
    request.geometry = clip.geometry;
    request.preallocate = 4;
    request.threads = GetParam();
    request.extractors = {"motion", "psnr", "vif"};
    for (int i = 0; i < cycles; ++i) {
      Scores scores;
      const FirstFailure failure =
          RunScore(ReferencePort(), request, GeneratedSource(clip), &scores);
      ASSERT_FALSE(failure.failed()) << failure.Text();
      ASSERT_FALSE(scores.empty());
    }
  }

  Fake fake_ = Fake::Load(CULPRIT_FAKE_LIBRARY);
};

TEST_P(PreallocationCycles, LeaveTheSameAfterTenAsAfterOne) {
  Run(1);
  const culprit_live after_one = fake_.Live();
  Run(9);
  const culprit_live after_ten = fake_.Live();
  EXPECT_EQ(std::memcmp(&after_one, &after_ten, sizeof after_one), 0);
  EXPECT_EQ(after_ten.contexts, 0u);
  EXPECT_EQ(after_ten.device_bytes, 0u);
  EXPECT_EQ(after_ten.host_bytes, 0u);
  fake_.EndOfLife();
  for (const Finding& finding : fake_.Findings()) {
    ADD_FAILURE() << finding.rule << ": " << finding.message;
  }
}

TEST_P(PreallocationCycles, LeaveNothingForLeakSanitizerToFind) {
#if defined(__SANITIZE_ADDRESS__)
  Run(10);
  EXPECT_EQ(__lsan_do_recoverable_leak_check(), 0);
#else
  GTEST_SKIP() << "not built with AddressSanitizer; see the preset asan-ubsan";
#endif
}

INSTANTIATE_TEST_SUITE_P(SerialAndThreaded, PreallocationCycles, ::testing::Values(0u, 2u));

}  // namespace
}  // namespace culprit::reference
