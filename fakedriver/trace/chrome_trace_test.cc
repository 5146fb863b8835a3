// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/chrome_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace culprit::fakedriver::trace {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kHeader = "{\"culprit_trace\":1,\"pid\":77}\n";
constexpr const char* kCall =
    R"({"seq":1,"thread":2,"entry":"cuStreamCreate","nth":1,"args":{"phStream":"0x10","Flags":0},)"
    R"("result":"CUDA_ERROR_OUT_OF_MEMORY","context":null,"depth":0,"fault":4,"start_ns":1500,"ns":250})"
    "\n";

struct Converted {
  Conversion conversion;
  json trace;
};

Converted Convert(const std::string& text) {
  std::istringstream in(text);
  std::ostringstream out;
  Converted converted;
  converted.conversion = WriteChromeTrace(in, "t.jsonl", out);
  converted.trace = json::parse(out.str());
  return converted;
}

TEST(ChromeTraceTest, ACallIsASliceOnTheTrackOfItsThread) {
  const Converted converted = Convert(std::string(kHeader) + kCall);
  EXPECT_EQ(converted.conversion.error, "");
  EXPECT_EQ(converted.conversion.calls, 1u);
  EXPECT_FALSE(converted.conversion.cut_short);
  const json& events = converted.trace.at("traceEvents");
  ASSERT_THAT(events, SizeIs(3));
  EXPECT_EQ(events[0].at("args").at("name"), "thread 2");
  EXPECT_EQ(events[1].at("name"), "cuStreamCreate");
  EXPECT_EQ(events[1].at("cat"), "stream");
  EXPECT_EQ(events[1].at("ts"), 1.5);
  EXPECT_EQ(events[1].at("dur"), 0.25);
  EXPECT_EQ(events[1].at("pid"), 77);
  EXPECT_EQ(events[1].at("args").at("result"), "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(events[2].at("name"), "fault 4");
  EXPECT_EQ(events[2].at("ph"), "i");
}

TEST(ChromeTraceTest, WhatACrashLeavesIsConvertedAsFarAsItGoes) {
  Converted converted = Convert(std::string(kHeader) + kCall + std::string(5000, '\0'));
  EXPECT_EQ(converted.conversion.error, "");
  EXPECT_EQ(converted.conversion.calls, 1u);
  EXPECT_TRUE(converted.conversion.cut_short);
  converted = Convert(std::string(kHeader) + kCall + R"({"seq":2,"thr)");
  EXPECT_EQ(converted.conversion.calls, 1u);
  EXPECT_TRUE(converted.conversion.cut_short);
}

TEST(ChromeTraceTest, WhatIsNoTraceIsRefusedWithItsLine) {
  EXPECT_THAT(Convert("{}\n").conversion.error, HasSubstr("t.jsonl:1: this is no trace"));
  EXPECT_THAT(Convert("").conversion.error, HasSubstr("t.jsonl: is empty"));
  EXPECT_EQ(Convert(std::string(kHeader) + "[\n" + kCall).conversion.error, "t.jsonl:2: not JSON");
  EXPECT_THAT(Convert("hello\n").conversion.error, HasSubstr("t.jsonl:1: "));
  EXPECT_THAT(Convert(std::string(kHeader) + "{\"seq\":1}\n" + kCall).conversion.error,
              HasSubstr("t.jsonl:2: "));
}

}  // namespace
}  // namespace culprit::fakedriver::trace
