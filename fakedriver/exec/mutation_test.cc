// SPDX-License-Identifier: Apache-2.0
//
// The fuzzer's property on damaged copies of real texts, by seed: any bytes give an error, a fault
// or a result, in time.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "fakedriver/exec/testing/test_device.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace culprit::exec {
namespace {

std::string Damage(std::string text, std::mt19937& random) {
  auto position = [&] { return random() % text.size(); };
  for (uint32_t edits = 1 + random() % 6; edits > 0 && text.size() > 16; --edits) {
    switch (random() % 5) {
      case 0:
        text[position()] = static_cast<char>(random());
        break;
      case 1:
        text.erase(position(), 1 + random() % 30);
        break;
      case 2: {
        std::string piece = text.substr(position(), random() % 60);
        text.insert(position(), piece);
        break;
      }
      case 3: {
        // A word of the text in the place of another.
        size_t from = text.find_first_of(" \t\n,", position());
        size_t to = text.find_first_of(" \t\n,", position());
        if (from == std::string::npos || to == std::string::npos) break;
        size_t length = text.find_first_of(" \t\n,;", from + 1);
        if (length != std::string::npos) text.replace(to, 8, text.substr(from, length - from));
        break;
      }
      default:
        text[position()] = "0123456789;,{}[]()@%.-"[random() % 22];
    }
  }
  return text;
}

class DamagedText : public ::testing::TestWithParam<int> {};

TEST_P(DamagedText, NeverCrashesOrHangs) {
  static const std::string texts[] = {testing::ReadTestData("speed.sm80.ptx"),
                                      testing::ReadTestData("algorithms.sm90.ptx")};
  std::mt19937 random(static_cast<uint32_t>(GetParam()));
  for (int n = 0; n < 40; ++n) {
    std::string text = Damage(texts[random() % 2], random);
    SCOPED_TRACE(::testing::Message() << "seed " << GetParam() << ", text " << n);
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size()),
              0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DamagedText, ::testing::Range(0, 8));

}  // namespace
}  // namespace culprit::exec
