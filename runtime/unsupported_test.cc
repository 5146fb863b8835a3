// SPDX-License-Identifier: Apache-2.0
//
// The entries that the runtime does not implement say so as any failing entry does: in their answer
// and in the thread's last error.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace culprit::runtime {
namespace {

constexpr const char* kNames[] = {
#define CULPRIT_UNSUPPORTED(name) #name,
#include "runtime/unsupported.def"
#undef CULPRIT_UNSUPPORTED
};

class Unsupported : public ::testing::TestWithParam<const char*> {
 protected:
  // By its name: the headers declare arguments, which nothing looks at.
  static int Call(const char* name) {
    void* entry = dlsym(RTLD_DEFAULT, name);
    if (entry == nullptr) return -1;
    return reinterpret_cast<int (*)()>(entry)();
  }
};

TEST_P(Unsupported, KeepsItsErrorUntilItIsFetched) {
  cudaGetLastError();
  EXPECT_EQ(Call(GetParam()), cudaErrorNotSupported);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

INSTANTIATE_TEST_SUITE_P(RuntimeApi, Unsupported, ::testing::ValuesIn(kNames),
                         [](const auto& info) { return std::string(info.param); });

TEST(UnsupportedTest, TheErrorIsTheThreadsOwn) {
  cudaGetLastError();
  std::thread([] {
    auto* entry = dlsym(RTLD_DEFAULT, "cudaMallocArray");
    ASSERT_NE(entry, nullptr);
    reinterpret_cast<int (*)()>(entry)();
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorNotSupported);
  }).join();
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

}  // namespace
}  // namespace culprit::runtime
