// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer's property on inputs drawn by seed. CULPRIT_FUZZ_INPUTS=100000 tries more than the
// usual, CULPRIT_FUZZ_SEED others.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fakedriver/call_fuzz/call_table.h"
#include "fakedriver/control/fake_driver.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace culprit::fakedriver::call_fuzz {
namespace {

uint64_t Setting(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

TEST(DrawnCallsTest, EverySequenceAnswers) {
  const uint64_t first = Setting("CULPRIT_FUZZ_SEED", 1);
  const uint64_t count = Setting("CULPRIT_FUZZ_INPUTS", 300);
  const Fake fake = Fake::Load(CULPRIT_FAKE_LIBRARY);
  std::set<std::string> succeeded;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::vector<uint8_t> input(1 + random() % 2000);
    for (uint8_t& byte : input) byte = static_cast<uint8_t>(random());
    input.front() |= 3;
    EXPECT_EQ(LLVMFuzzerTestOneInput(input.data(), input.size()), 0);
    for (const LoggedCall& call : fake.CallLog()) {
      if (call.result == "CUDA_SUCCESS") succeeded.insert(call.entry);
    }
  }
  // Arguments are such that a good part of the entries gets to its work.
  EXPECT_GT(succeeded.size(), AllCalls().size() / 4) << "of " << AllCalls().size();
  fake.Reset();
}

}  // namespace
}  // namespace culprit::fakedriver::call_fuzz
