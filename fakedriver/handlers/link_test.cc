// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

// A kernel with so many values alive at once.
std::string ManyRegisters(int values = 40, const std::string& directive = "") {
  std::string text =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry many(.param .u64 out)\n" +
      directive + "{\n  .reg .b64 %rd<2>;\n  .reg .b32 %r<" + std::to_string(values + 1) +
      ">;\n  ld.param.u64 %rd0, [out];\n"
      "  cvta.to.global.u64 %rd1, %rd0;\n";
  for (int i = 0; i < values; ++i) {
    const std::string n = std::to_string(i);
    text += "  ld.global.u32 %r" + n + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  }
  for (int i = 0; i < values; ++i) {
    text += "  st.global.u32 [%rd1+" + std::to_string(4 * (values - 1 - i)) + "], %r" +
            std::to_string(i) + ";\n";
  }
  return text + "  ret;\n}\n";
}

class LinkTest : public testing::DriverTest {
 protected:
  LinkTest() {
    Start();
    NewContext();
  }

  int Registers(CUmodule module) {
    CUfunction function = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&function, module, "many"), CUDA_SUCCESS);
    int registers = 0;
    EXPECT_EQ(cu.cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function),
              CUDA_SUCCESS);
    EXPECT_EQ(cu.cuModuleUnload(module), CUDA_SUCCESS);
    return registers;
  }

  // With a limit for the linker and one for loading what it made; 0: none.
  int Linked(int at_link, int at_load) {
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    void* value = reinterpret_cast<void*>(static_cast<uintptr_t>(at_link));
    CUlinkState state = nullptr;
    EXPECT_EQ(cu.cuLinkCreate_v2(at_link != 0 ? 1 : 0, &option, &value, &state), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuLinkAddData_v2(state, CU_JIT_INPUT_PTX, text_.data(), text_.size() + 1, "many",
                                  0, nullptr, nullptr),
              CUDA_SUCCESS);
    void* image = nullptr;
    size_t size = 0;
    EXPECT_EQ(cu.cuLinkComplete(state, &image, &size), CUDA_SUCCESS);
    CUmodule module = nullptr;
    value = reinterpret_cast<void*>(static_cast<uintptr_t>(at_load));
    EXPECT_EQ(cu.cuModuleLoadDataEx(&module, image, at_load != 0 ? 1 : 0, &option, &value),
              CUDA_SUCCESS);
    EXPECT_EQ(cu.cuLinkDestroy(state), CUDA_SUCCESS);
    return Registers(module);
  }

  std::string text_ = ManyRegisters();
};

TEST_F(LinkTest, ALimitOnRegistersShowsInTheKernel) {
  const int need = Linked(0, 0);
  ASSERT_GT(need, 12);
  EXPECT_EQ(Linked(need - 2, 0), need - 2);
  EXPECT_EQ(Linked(0, need - 4), need - 4);
  EXPECT_EQ(Linked(need - 2, need - 4), need - 4);
  EXPECT_EQ(Linked(need - 4, need - 2), need - 4);
  EXPECT_EQ(Linked(0, 0), need);
}

TEST_F(LinkTest, ABlockOfTheDeclaredSizeAlwaysFits) {
  text_ = ManyRegisters(1600);
  ASSERT_GT(Linked(0, 0), 100);
  text_ = ManyRegisters(1600, ".maxntid 1024, 1, 1\n");
  EXPECT_EQ(Linked(0, 0), 64);
  text_ = ManyRegisters(1600, ".reqntid 672, 1, 1\n");
  EXPECT_EQ(Linked(0, 0), 96);
}

TEST_F(LinkTest, ALimitAboveTheNeedChangesNothing) { EXPECT_EQ(Linked(200, 0), Linked(0, 0)); }

TEST_F(LinkTest, AFolderIsNoFileOfCode) {
  CUmodule module = nullptr;
  EXPECT_EQ(cu.cuModuleLoad(&module, "/"), CUDA_ERROR_FILE_NOT_FOUND);
  CUlibrary library = nullptr;
  EXPECT_EQ(cu.cuLibraryLoadFromFile(&library, "/", nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_ERROR_FILE_NOT_FOUND);
  CUlinkState state = nullptr;
  EXPECT_EQ(cu.cuLinkCreate_v2(0, nullptr, nullptr, &state), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuLinkAddFile_v2(state, CU_JIT_INPUT_PTX, "/", 0, nullptr, nullptr),
            CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cu.cuLinkDestroy(state), CUDA_SUCCESS);
}

TEST_F(LinkTest, AnUnlinkedTextCanBeLimitedToo) {
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  void* value = reinterpret_cast<void*>(uintptr_t{10});
  CUmodule module = nullptr;
  ASSERT_EQ(cu.cuModuleLoadDataEx(&module, text_.c_str(), 1, &option, &value), CUDA_SUCCESS);
  EXPECT_EQ(Registers(module), 10);
}

// Blocks of 64 threads: each writes its number, all wait for all, then each reads its right
// neighbour's.
constexpr const char* kGridSync = R"(
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 s);
.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 h, .param .b32 f);
.visible .entry neighbours(.param .u64 numbers, .param .u64 read)
{
  .reg .b64 %rd<10>;
  .reg .b32 %r<10>;
  ld.param.u64 %rd0, [numbers];
  ld.param.u64 %rd1, [read];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %nctaid.x;
  mul.wide.u32 %rd2, %r0, 4;
  add.s64 %rd3, %rd0, %rd2;
  add.s64 %rd4, %rd1, %rd2;
  st.global.u32 [%rd3], %r0;
  {
    .param .b32 scope;
    .param .b64 handle;
    st.param.b32 [scope], 1;
    call.uni (handle), cudaCGGetIntrinsicHandle, (scope);
    ld.param.b64 %rd5, [handle];
  }
  {
    .param .b64 handle;
    .param .b32 flags;
    .param .b32 error;
    st.param.b64 [handle], %rd5;
    st.param.b32 [flags], 0;
    call.uni (error), cudaCGSynchronize, (handle, flags);
    ld.param.b32 %r2, [error];
  }
  add.u32 %r3, %r0, 1;
  rem.u32 %r3, %r3, %r1;
  mul.wide.u32 %rd6, %r3, 4;
  add.s64 %rd7, %rd0, %rd6;
  ld.global.u32 %r4, [%rd7];
  mad.lo.u32 %r4, %r2, 1000, %r4;
  st.global.u32 [%rd4], %r4;
  ret;
}
)";

class DeviceRuntimeTest : public LinkTest {
 protected:
  // An archive as a toolkit's libcudadevrt.a begins.
  static std::string Archive() {
    return "!<arch>\ncuda_device_runtime.o/0           0     0     644     0         `\n";
  }

  CUresult Link(CUmodule* module) {
    CUlinkState state = nullptr;
    EXPECT_EQ(cu.cuLinkCreate_v2(0, nullptr, nullptr, &state), CUDA_SUCCESS);
    std::string text = kGridSync;
    EXPECT_EQ(cu.cuLinkAddData_v2(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "", 0,
                                  nullptr, nullptr),
              CUDA_SUCCESS);
    CUresult result = cu.cuLinkAddData_v2(state, type_, library_.data(), library_.size(), "", 0,
                                          nullptr, nullptr);
    void* image = nullptr;
    size_t size = 0;
    if (result == CUDA_SUCCESS) result = cu.cuLinkComplete(state, &image, &size);
    if (result == CUDA_SUCCESS) result = cu.cuModuleLoadData(module, image);
    EXPECT_EQ(cu.cuLinkDestroy(state), CUDA_SUCCESS);
    return result;
  }

  // What the blocks read; the launch is cooperative or not.
  std::vector<unsigned> Run(bool cooperative) {
    CUmodule module = nullptr;
    EXPECT_EQ(Link(&module), CUDA_SUCCESS);
    CUfunction kernel = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&kernel, module, "neighbours"), CUDA_SUCCESS);
    CUdeviceptr numbers = 0, read = 0;
    EXPECT_EQ(cu.cuMemAlloc_v2(&numbers, 4 * kBlocks), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemAlloc_v2(&read, 4 * kBlocks), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8_v2(numbers, 0xff, 4 * kBlocks), CUDA_SUCCESS);
    void* arguments[] = {&numbers, &read};
    EXPECT_EQ(
        cooperative
            ? cu.cuLaunchCooperativeKernel(kernel, kBlocks, 1, 1, 64, 1, 1, 0, nullptr, arguments)
            : cu.cuLaunchKernel(kernel, kBlocks, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr),
        CUDA_SUCCESS);
    std::vector<unsigned> values(kBlocks);
    EXPECT_EQ(cu.cuMemcpyDtoH_v2(values.data(), read, 4 * kBlocks), CUDA_SUCCESS);
    return values;
  }

  static constexpr unsigned kBlocks = 5;
  CUjitInputType type_ = CU_JIT_INPUT_LIBRARY;
  std::string library_ = Archive();
};

TEST_F(DeviceRuntimeTest, AGridWaitsForAllItsBlocks) {
  EXPECT_THAT(Run(true), ::testing::ElementsAre(1, 2, 3, 4, 0));
}

TEST_F(DeviceRuntimeTest, ThePtxOfTheLibraryIsReplacedToo) {
  type_ = CU_JIT_INPUT_PTX;
  library_ = R"(
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) __cuda_syscall_CGS_sync
(.param .b32 a, .param .b64 b, .param .b32 c);
.visible .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  unknown.instruction;
}
)";
  EXPECT_THAT(Run(true), ::testing::ElementsAre(1, 2, 3, 4, 0));
}

TEST_F(DeviceRuntimeTest, AnOrdinaryLaunchHasNoGridToWaitFor) {
  // An error code, in thousands, and the neighbour's number or -1: who was there first is open.
  EXPECT_THAT(Run(false), ::testing::Each(::testing::Ge(999u)));
}

TEST_F(DeviceRuntimeTest, AnotherArchiveCannotBeLinked) {
  CUlinkState state = nullptr;
  ASSERT_EQ(cu.cuLinkCreate_v2(0, nullptr, nullptr, &state), CUDA_SUCCESS);
  std::string archive = "!<arch>\n";
  EXPECT_EQ(cu.cuLinkAddData_v2(state, CU_JIT_INPUT_LIBRARY, archive.data(), archive.size(), "", 0,
                                nullptr, nullptr),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cu.cuLinkDestroy(state), CUDA_SUCCESS);
}

}  // namespace
}  // namespace culprit::fakedriver
