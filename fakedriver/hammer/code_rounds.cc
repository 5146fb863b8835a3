// SPDX-License-Identifier: Apache-2.0
// Modules, libraries, kernels, launches, occupancy and the linker.
#include <string>

#include "fakedriver/control/testing/add_one.h"
#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {

const std::string kAddOne =
    std::string(".version 7.0\n.target sm_75\n.address_size 64\n").append(testing::kAddOne);

namespace {

void Launch(Hand& hand, CUfunction function, CUdeviceptr data, unsigned count, CUstream stream) {
  void* parameters[] = {&data, &count};
  Ok(hand.cu.cuLaunchKernel(function, (count + 31) / 32, 1, 1, 32, 1, 1, 0, stream, parameters,
                            nullptr));
}

void OwnModule(Hand& hand) {
  const auto& cu = hand.cu;
  CUmodule module = nullptr;
  Ok(cu.cuModuleLoadData(&module, kAddOne.c_str()));
  CUfunction function = nullptr;
  Ok(cu.cuModuleGetFunction(&function, module, "add_one"));
  CUdeviceptr global = 0;
  size_t bytes = 0;
  Ok(cu.cuModuleGetGlobal_v2(&global, &bytes, module, "counter"));
  EXPECT_EQ(bytes, 4u);
  unsigned counter = 0;
  Ok(cu.cuMemcpyDtoH_v2(&counter, global, sizeof counter));
  EXPECT_EQ(counter, 41u);
  CUfunction missing = nullptr;
  Ok(cu.cuModuleGetFunction(&missing, module, "missing"), CUDA_ERROR_NOT_FOUND);
  int threads = 0;
  Ok(cu.cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT_EQ(threads, 1024);
  const OwnWords words(hand, 40, 1);
  OwnStream stream(hand);
  Launch(hand, function, words, 40, stream);
  Ok(cu.cuStreamSynchronize(stream));
  words.Are(2);
  Ok(cu.cuModuleUnload(module));
}

void SharedFunction(Hand& hand) {
  const auto& cu = hand.cu;
  const CUfunction function = hand.shared.add_one;
  int blocks = 0;
  Ok(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));
  EXPECT_GT(blocks, 0);
  Ok(cu.cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_NONE));
  const char* name = nullptr;
  Ok(cu.cuFuncGetName(&name, function));
  EXPECT_STREQ(name, "add_one");
  const OwnWords words(hand, 100, 10);
  OwnStream stream(hand);
  Launch(hand, function, words, 100, stream);
  Launch(hand, function, words, 100, stream);
  Ok(cu.cuStreamSynchronize(stream));
  words.Are(12);
}

void OwnLibrary(Hand& hand) {
  const auto& cu = hand.cu;
  CUlibrary library = nullptr;
  Ok(cu.cuLibraryLoadData(&library, kAddOne.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  Ok(cu.cuLibraryGetKernel(&kernel, library, "add_one"));
  unsigned count = 0;
  Ok(cu.cuLibraryGetKernelCount(&count, library));
  EXPECT_EQ(count, 1u);
  int registers = 0;
  Ok(cu.cuKernelGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0));
  EXPECT_GT(registers, 0);
  CUfunction function = nullptr;
  Ok(cu.cuKernelGetFunction(&function, kernel));
  const OwnWords words(hand, 32, 0);
  OwnStream stream(hand);
  // A kernel may be launched as it is.
  Launch(hand, hand.Below(2) != 0 ? function : reinterpret_cast<CUfunction>(kernel), words, 32,
         stream);
  Ok(cu.cuStreamSynchronize(stream));
  words.Are(1);
  Ok(cu.cuLibraryUnload(library));
}

void LinkedModule(Hand& hand) {
  const auto& cu = hand.cu;
  CUlinkState state = nullptr;
  Ok(cu.cuLinkCreate_v2(0, nullptr, nullptr, &state));
  Ok(cu.cuLinkAddData_v2(state, CU_JIT_INPUT_PTX, const_cast<char*>(kAddOne.c_str()),
                         kAddOne.size() + 1, "add_one", 0, nullptr, nullptr));
  void* image = nullptr;
  size_t size = 0;
  Ok(cu.cuLinkComplete(state, &image, &size));
  CUmodule module = nullptr;
  Ok(cu.cuModuleLoadData(&module, image));
  Ok(cu.cuLinkDestroy(state));
  unsigned functions = 0;
  Ok(cu.cuModuleGetFunctionCount(&functions, module));
  EXPECT_EQ(functions, 1u);
  Ok(cu.cuModuleUnload(module));
}

}  // namespace

std::vector<NamedRound> CodeRounds() {
  return {{"own module", OwnModule},
          {"shared function", SharedFunction},
          {"own library", OwnLibrary},
          {"linked module", LinkedModule}};
}

}  // namespace culprit::fakedriver::hammer
