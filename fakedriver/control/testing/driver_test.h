// SPDX-License-Identifier: Apache-2.0
//
// A test that calls the fake as a program does, through the library's exported symbols, and looks
// at it through control.
#ifndef FAKEDRIVER_CONTROL_TESTING_DRIVER_TEST_H_
#define FAKEDRIVER_CONTROL_TESTING_DRIVER_TEST_H_

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/control/fake_driver.h"

namespace culprit::fakedriver::testing {

// Every exported function by its name.
struct Entries {
#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments) \
  CUresult(*symbol) parameters = nullptr;
#define FD_STUB FD_API
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments) \
  CUresult(*symbol) parameters = nullptr;
#include "fakedriver/abi/driver_api.def"

  explicit Entries(void* library) {
#define FD_API(symbol, ...) symbol = reinterpret_cast<decltype(symbol)>(dlsym(library, #symbol));
#define FD_STUB FD_API
#define FD_ALIAS FD_API
#include "fakedriver/abi/driver_api.def"
  }
};

class DriverTest : public ::testing::Test {
 protected:
  DriverTest()
      : fake_(Fake::Load(CULPRIT_FAKE_LIBRARY)), cu(dlopen(CULPRIT_FAKE_LIBRARY, RTLD_NOW)) {
    fake_.Reset();
    fake_.Configure(DefaultSettings());
  }
  ~DriverTest() override {
    fake_.Reset();
    fake_.Configure(DefaultSettings());
  }

  // No queue empties because the test was kept from its next call for a while.
  static nlohmann::json DefaultSettings() {
    return {{"profile", "r580"}, {"policy", "timed"}, {"handle_reuse", "never"},
            {"certify", true},   {"devices", ""},     {"idle_drain_ms", 0}};
  }

  // Starts again with other settings, initialised.
  void Start(const nlohmann::json& settings = nlohmann::json::object()) {
    fake_.Reset();
    fake_.Configure(settings);
    ASSERT_EQ(cu.cuInit(0), CUDA_SUCCESS);
  }

  CUcontext NewContext() {
    CUcontext context = nullptr;
    EXPECT_EQ(cu.cuCtxCreate_v4(&context, nullptr, 0, 0), CUDA_SUCCESS);
    return context;
  }
  CUcontext Current() {
    CUcontext context = nullptr;
    EXPECT_EQ(cu.cuCtxGetCurrent(&context), CUDA_SUCCESS);
    return context;
  }
  CUstream NewStream(unsigned flags = CU_STREAM_NON_BLOCKING) {
    CUstream stream = nullptr;
    EXPECT_EQ(cu.cuStreamCreate(&stream, flags), CUDA_SUCCESS);
    return stream;
  }
  CUevent NewEvent(unsigned flags = 0) {
    CUevent event = nullptr;
    EXPECT_EQ(cu.cuEventCreate(&event, flags), CUDA_SUCCESS);
    return event;
  }

  // Ids of the rules that were broken, in order.
  std::vector<std::string> Rules() {
    std::vector<std::string> rules;
    for (const Finding& finding : fake_.Findings()) rules.push_back(finding.rule);
    return rules;
  }

  template <typename Body>
  static void OnAnotherThread(Body body) {
    std::thread(body).join();
  }

  Fake fake_;
  Entries cu;
};

}  // namespace culprit::fakedriver::testing

#endif  // FAKEDRIVER_CONTROL_TESTING_DRIVER_TEST_H_
