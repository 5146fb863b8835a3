// SPDX-License-Identifier: Apache-2.0
//
// The approximate functions against what an H200 gave for every argument of 32 bits
// (vectors/data/h200_r580_approximations.txt). Each run takes some groups of 2^24 arguments; all
// 256 are taken when CULPRIT_ALL_APPROXIMATIONS is set, which takes some minutes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

std::map<std::string, std::vector<uint64_t>> Recorded() {
  std::map<std::string, std::vector<uint64_t>> all;
  std::ifstream in(CULPRIT_EXEC_VECTORS "/data/h200_r580_approximations.txt");
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    if (line.find('.') != std::string::npos) {
      name = line;
      continue;
    }
    std::istringstream words(line);
    for (std::string word; words >> word;) all[name].push_back(std::stoull(word, nullptr, 16));
  }
  return all;
}

// A thread takes 256 arguments; the digests are summed in global memory.
std::string Kernel(const std::string& function) {
  const bool wide = function.ends_with("f64");
  const std::string apply =
      wide ? "mov.b64 %in, {0, %x}; " + function + " %res, %in; mov.b64 {%low, %y}, %res;\n"
           : function + " %y, %x;\n";
  return ".version 8.6\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 sum, .param .u32 first) {\n"
         ".reg .b32 %x, %y, %n, %low, %t<4>; .reg .b64 %s, %z, %w, %p, %in, %res; .reg .pred %q;\n"
         "mov.u32 %t0, %ctaid.x; mov.u32 %t1, %tid.x; mad.lo.u32 %t0, %t0, 128, %t1;\n"
         "ld.param.u32 %t2, [first]; add.u32 %x, %t0, %t2; mov.u32 %n, 0; mov.b64 %s, 0;\n"
         "L: " +
         apply +
         "mov.b64 %z, {%y, %x};\n"
         "shr.u64 %w, %z, 30; xor.b64 %z, %z, %w; mul.lo.u64 %z, %z, 0xbf58476d1ce4e5b9;\n"
         "shr.u64 %w, %z, 27; xor.b64 %z, %z, %w; mul.lo.u64 %z, %z, 0x94d049bb133111eb;\n"
         "shr.u64 %w, %z, 31; xor.b64 %z, %z, %w; add.u64 %s, %s, %z;\n"
         "add.u32 %x, %x, 65536; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 256; @%q bra L;\n"
         "ld.param.u64 %p, [sum]; red.global.add.u64 [%p], %s;\nret;\n}\n";
}

uint64_t DigestOf(testing::TestDevice& device, uint32_t group) {
  const uint64_t sum = device.memory.Upload(std::vector<uint64_t>{0});
  const LaunchResult result =
      device.Run("k", {512, 1, 1}, {128, 1, 1}, testing::Pack(sum, group << 24));
  EXPECT_TRUE(result.ok());
  return device.memory.Download<uint64_t>(sum, 1)[0];
}

class ApproximationTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ApproximationTest, GivesTheBitsOfTheDevice) {
  const std::map<std::string, std::vector<uint64_t>> recorded = Recorded();
  const auto digests = recorded.find(GetParam());
  ASSERT_NE(digests, recorded.end());
  ASSERT_EQ(digests->second.size(), 256u);
  testing::TestDevice device;
  ASSERT_TRUE(device.Load(Kernel(GetParam()))) << device.error.ToLogLine();
  // Zeros and subnormals; up to 2 and down to -2. The recorded cases have infinities and NaN.
  std::vector<uint32_t> groups{0x00, 0x3f, 0xbf};
  if (std::getenv("CULPRIT_ALL_APPROXIMATIONS") != nullptr) {
    groups.clear();
    for (uint32_t group = 0; group < 256; ++group) groups.push_back(group);
  }
  for (uint32_t group : groups)
    EXPECT_EQ(DigestOf(device, group), digests->second[group])
        << "arguments from " << group << " * 2^24";
}

INSTANTIATE_TEST_SUITE_P(Forms, ApproximationTest,
                         ::testing::Values("rcp.approx.f32", "rcp.approx.ftz.f32",
                                           "sqrt.approx.f32", "sqrt.approx.ftz.f32",
                                           "rsqrt.approx.f32", "rsqrt.approx.ftz.f32",
                                           "sin.approx.f32", "cos.approx.f32", "lg2.approx.f32",
                                           "lg2.approx.ftz.f32", "ex2.approx.f32",
                                           "ex2.approx.ftz.f32", "tanh.approx.f32",
                                           "rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"));

}  // namespace
}  // namespace culprit::exec
