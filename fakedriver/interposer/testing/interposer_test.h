// SPDX-License-Identifier: Apache-2.0
//
// The interposer in front of a driver that every machine has: the fake, standing in for the
// vendor's.
#ifndef FAKEDRIVER_INTERPOSER_TESTING_INTERPOSER_TEST_H_
#define FAKEDRIVER_INTERPOSER_TESTING_INTERPOSER_TEST_H_

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/control/fake_driver.h"

namespace culprit::testing {

// Before the library is loaded, which reads it at the first call.
inline const bool environment_is_set = setenv("CULPRIT_REAL_DRIVER", CULPRIT_FAKE_LIBRARY, 1) == 0;

class InterposerTest : public ::testing::Test {
 protected:
  InterposerTest()
      : interposer_(Fake::Load(CULPRIT_INTERPOSER_LIBRARY)),
        vendor_(Fake::Load(CULPRIT_FAKE_LIBRARY)) {
    vendor_.Reset();
    vendor_.Configure({{"policy", "eager"}});
    interposer_.Reset();
    EXPECT_EQ(Call<decltype(&cuInit)>("cuInit", 0u), CUDA_SUCCESS);
    EXPECT_EQ(Call<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain", &context_, 0),
              CUDA_SUCCESS);
    EXPECT_EQ(Push(), CUDA_SUCCESS);
  }
  ~InterposerTest() override {
    CUcontext popped = nullptr;
    while (interposer_.StackDepth() != 0 && Pop(&popped) == CUDA_SUCCESS) {
    }
    vendor_.Reset();
    interposer_.Reset();
  }

  void* Symbol(const char* name) {
    return dlsym(dlopen(CULPRIT_INTERPOSER_LIBRARY, RTLD_NOW), name);
  }
  template <typename Function, typename... Args>
  CUresult Call(const char* name, Args... args) {
    return reinterpret_cast<Function>(Symbol(name))(args...);
  }
  CUresult Push() { return Call<decltype(&cuCtxPushCurrent_v2)>("cuCtxPushCurrent_v2", context_); }
  CUresult Pop(CUcontext* context) {
    return Call<decltype(&cuCtxPopCurrent_v2)>("cuCtxPopCurrent_v2", context);
  }
  CUresult CreateEvent(CUevent* event) {
    return Call<decltype(&cuEventCreate)>("cuEventCreate", event, 0u);
  }
  CUresult DestroyEvent(CUevent event) {
    return Call<decltype(&cuEventDestroy_v2)>("cuEventDestroy_v2", event);
  }
  CUresult QueryEvent(CUevent event) {
    return Call<decltype(&cuEventQuery)>("cuEventQuery", event);
  }

  Fake interposer_;
  Fake vendor_;
  CUcontext context_ = nullptr;
};

}  // namespace culprit::testing

#endif  // FAKEDRIVER_INTERPOSER_TESTING_INTERPOSER_TEST_H_
