// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/trace/argument.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

namespace culprit::fakedriver::trace {
namespace {

using nlohmann::json;

template <typename... Args>
json Arguments(ApiId id, const Args&... args) {
  const std::array<Argument, sizeof...(Args)> captured{Capture(args)...};
  std::string text;
  AppendArguments(id, captured, &text);
  return json::parse(text);
}

template <typename... Args>
json Outputs(ApiId id, const Args&... args) {
  const std::array<Argument, sizeof...(Args)> captured{Capture(args)...};
  std::string text;
  AppendOutputs(id, captured, &text);
  return json::parse(text);
}

TEST(ArgumentTest, EveryParameterOfTheTableHasANameAndAType) {
  for (const ApiInfo& row : kApis) {
    for (const Parameter& parameter : ParametersOf(row.id)) {
      EXPECT_NE(parameter.name, "") << row.symbol;
      EXPECT_NE(parameter.type, "") << row.symbol;
    }
  }
}

TEST(ArgumentTest, ParametersAreThoseOfTheDeclaration) {
  const auto& parameters = ParametersOf(ApiId::cuGetErrorName);
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_EQ(parameters[0].type, "CUresult");
  EXPECT_EQ(parameters[1].type, "const char**");
  EXPECT_EQ(parameters[1].name, "pStr");
  EXPECT_TRUE(ParametersOf(ApiId::cuCtxSynchronize).empty());
}

TEST(ArgumentTest, ValuesAreWrittenByType) {
  const CUdeviceptr address = 0x7f0000001000;
  EXPECT_EQ(Arguments(ApiId::cuMemsetD32_v2, address, 7u, size_t{256}),
            json({{"dstDevice", "0x7f0000001000"}, {"ui", 7}, {"N", 256}}));
  const char** no_text = nullptr;
  EXPECT_EQ(Arguments(ApiId::cuGetErrorName, CUDA_ERROR_NOT_READY, no_text),
            json({{"error", "CUDA_ERROR_NOT_READY"}, {"pStr", nullptr}}));
  const CUdevice device = -1;
  EXPECT_EQ(Arguments(ApiId::cuDevicePrimaryCtxRelease_v2, device), json({{"dev", -1}}));
}

TEST(ArgumentTest, TextsAreQuotedAndCut) {
  const std::string name = "add\n\"one\"\xff" + std::string(1000, 'x');
  void** function = nullptr;
  const json arguments =
      Arguments(ApiId::cuGetProcAddress, name.c_str(), function, 12000, cuuint64_t{0});
  const std::string text = arguments.at("symbol");
  EXPECT_TRUE(text.starts_with("add\n\"one\""));
  EXPECT_LT(text.size(), 300u);
}

TEST(ArgumentTest, OutputsAreWhatTheCallWrote) {
  auto* stream = reinterpret_cast<CUstream>(0x1234);
  EXPECT_EQ(Outputs(ApiId::cuStreamCreate, &stream, 0u), json({{"phStream", "0x1234"}}));
  int least = 0;
  int greatest = -5;
  EXPECT_EQ(Outputs(ApiId::cuCtxGetStreamPriorityRange, &least, &greatest),
            json({{"leastPriority", 0}, {"greatestPriority", -5}}));
  float milliseconds = 1.5F;
  CUevent none = nullptr;
  EXPECT_EQ(Outputs(ApiId::cuEventElapsedTime_v2, &milliseconds, none, none),
            json({{"pMilliseconds", 1.5}}));
  CUdeviceptr address = 0x1000;
  EXPECT_EQ(Outputs(ApiId::cuMemAlloc_v2, &address, size_t{16}), json({{"dptr", "0x1000"}}));
}

TEST(ArgumentTest, NullOutParametersAreNotRead) {
  int* nothing = nullptr;
  EXPECT_EQ(Outputs(ApiId::cuDeviceGetCount, nothing), json::object());
}

}  // namespace
}  // namespace culprit::fakedriver::trace
