// SPDX-License-Identifier: Apache-2.0
//
// What loading accepts, refuses and tells about a text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::HasSubstr;

constexpr char kHeader[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

LoadError ErrorOf(const std::string& text, const LoadOptions& options = {}) {
  LoadResult result = Program::Load(text, options);
  EXPECT_FALSE(result) << text;
  return result.error;
}

std::string Kernel(const std::string& body) {
  return std::string(kHeader) + ".visible .entry k() {\n" + body + "\n}\n";
}

TEST(Load, TextThatDoesNotBeginLikePtxIsNotPtx) {
  EXPECT_EQ(ErrorOf("this is not ptx at all").kind, LoadErrorKind::kNotPtx);
  EXPECT_EQ(ErrorOf("").kind, LoadErrorKind::kNotPtx);
  EXPECT_EQ(ErrorOf(std::string(64, '\0')).kind, LoadErrorKind::kNotPtx);
}

TEST(Load, AModuleMayBeEmpty) { EXPECT_TRUE(Program::Load(kHeader)); }

TEST(Load, UnknownModifierIsNamedWithItsLine) {
  LoadError error = ErrorOf(std::string(kHeader) + ".visible .entry k() { bogus.op; ret; }\n");
  EXPECT_EQ(error.kind, LoadErrorKind::kInvalidPtx);
  EXPECT_EQ(error.ToLogLine(),
            "ptxas application ptx input, line 4; error   : Unknown modifier '.op'");
}

TEST(Load, VersionsAndTargetsBeyondTheDeviceAreRefused) {
  EXPECT_EQ(ErrorOf(".version 99.0\n.target sm_70\n").kind, LoadErrorKind::kUnsupportedVersion);
  EXPECT_EQ(ErrorOf(".version 8.5\n.target sm_999\n").kind, LoadErrorKind::kUnsupportedTarget);
  EXPECT_EQ(ErrorOf(".version 8.7\n.target sm_100\n").kind, LoadErrorKind::kUnsupportedTarget);
  LoadOptions options;
  options.accept_newer_targets = true;
  EXPECT_TRUE(Program::Load(".version 8.7\n.target sm_100\n", options));
}

TEST(Load, ExternWithoutDefinitionIsUnresolved) {
  LoadError error = ErrorOf(std::string(kHeader) +
                            ".extern .func nosuch;\n.visible .entry k() { call nosuch; ret; }\n");
  EXPECT_EQ(error.kind, LoadErrorKind::kUnresolvedSymbol);
  EXPECT_THAT(error.message, HasSubstr("nosuch"));
}

struct BadBody {
  const char* name;
  const char* body;
  uint32_t line;
  const char* message;
};
void PrintTo(const BadBody& bad, std::ostream* out) { *out << bad.body; }

class LoadRefuses : public ::testing::TestWithParam<BadBody> {};

TEST_P(LoadRefuses, WithLineAndReason) {
  LoadError error = ErrorOf(Kernel(GetParam().body));
  EXPECT_EQ(error.kind, LoadErrorKind::kInvalidPtx);
  EXPECT_EQ(error.line, GetParam().line);
  EXPECT_THAT(error.message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Body, LoadRefuses,
    ::testing::Values(
        BadBody{"UnknownOpcode", "frobnicate;", 5,
                "Not a name of any known instruction: 'frobnicate'"},
        BadBody{"UnknownRegister", ".reg .b32 %r<2>;\nadd.s32 %r0, %r1, %r2;", 6, "%r2"},
        BadBody{"UnknownLabel", "bra NOWHERE;", 5, "NOWHERE"},
        BadBody{"MissingSemicolon", "ret", 6, "syntax error"},
        BadBody{"TooFewOperands", ".reg .b32 %r<2>;\nadd.s32 %r0, %r1;", 6, "Arguments mismatch"},
        BadBody{"WrongType", ".reg .b32 %r<2>;\nclz.f32 %r0, %r1;", 6,
                "Unexpected instruction types"},
        BadBody{"IllegalModifier", ".reg .b32 %r<2>;\nadd.wide.s32 %r0, %r1, %r1;", 6,
                "Illegal modifier '.wide'"},
        BadBody{"WrittenLiteral", ".reg .b32 %r<2>;\nadd.s32 4, %r1, %r1;", 6,
                "Arguments mismatch"},
        BadBody{"GuardNotPredicate", ".reg .b32 %r<2>;\n@%r0 ret;", 6, "Predicate expected"},
        BadBody{"TwiceDeclared", ".reg .b32 %a;\n.reg .b32 %a;", 6, "Duplicate definition"},
        BadBody{"RegisterSizes", ".reg .b32 %r<2>; .reg .b64 %d<2>;\nadd.s32 %r0, %d1, %r1;", 6,
                "Arguments mismatch"},
        BadBody{"RegisterOfAnotherKind", ".reg .f32 %f<3>;\nadd.u32 %f0, %f1, %f2;", 6,
                "Arguments mismatch for instruction 'add'"},
        BadBody{"FeatureOfNewerTarget", ".reg .b64 %d<3>;\nadd.f32x2 %d0, %d1, %d2;", 6,
                "Feature 'add.f32x2' requires .target sm_100 or higher"},
        BadBody{"AtomicOfWrongType", ".reg .b64 %d<3>;\natom.global.add.s64 %d0, [%d1], %d2;", 6,
                "Operation .add requires .u32"},
        BadBody{"UselessSaturation", ".reg .b32 %r<2>; .reg .b16 %h<2>;\ncvt.sat.u32.u16 %r0, %h0;",
                6, "Illegal modifier '.sat' for instruction 'cvt'"},
        BadBody{"MissingRounding", ".reg .f32 %f<3>;\nfma.f32 %f0, %f1, %f1, %f2;", 6,
                "Rounding modifier required for instruction 'fma'"},
        BadBody{"DeepNesting", ".reg .b32 %r<2>;\nmov.b32 %r0, {{{{{{{{{{{{{{{{{{{{{{{{%r1;", 6,
                "nested"}),
    [](const auto& info) { return info.param.name; });

TEST(Load, UnterminatedBodyIsAnError) {
  EXPECT_EQ(ErrorOf(std::string(kHeader) + ".visible .entry k() { ret; ").kind,
            LoadErrorKind::kInvalidPtx);
}

TEST(Load, ParametersAreLaidOutAsTheDriversBuffer) {
  LoadResult result =
      Program::Load(std::string(kHeader) +
                    ".visible .entry k(.param .u8 a, .param .u64 b, .param .u16 c,\n"
                    ".param .align 8 .b8 d[12], .param .f32 e) .maxntid 64, 2 { ret; }\n");
  ASSERT_TRUE(result) << result.error.message;
  const KernelInfo& kernel = result.program->kernels()[0];
  std::vector<uint32_t> offsets;
  for (const Parameter& parameter : kernel.parameters) offsets.push_back(parameter.offset);
  EXPECT_THAT(offsets, ::testing::ElementsAre(0, 8, 16, 24, 36));
  EXPECT_EQ(kernel.parameter_bytes, 40u);
  EXPECT_THAT(kernel.maximum_threads, ::testing::ElementsAre(64, 2, 1));
}

TEST(Load, SharedMemoryIsThatOfTheKernelAndWhatItCalls) {
  LoadResult result = Program::Load(std::string(kHeader) + R"(
.shared .align 4 .b8 module_scope[100];
.extern .shared .align 16 .b8 dynamic[];
.func f() { .shared .align 8 .b8 inside[16]; .reg .b32 %r<2>; mov.u32 %r1, inside; ret; }
.visible .entry none() { ret; }
.visible .entry both() { .reg .b32 %r<2>; ld.shared.u32 %r1, [module_scope]; call f; ret; }
.visible .entry grows() { .reg .b32 %r<2>; ld.shared.u32 %r1, [dynamic]; ret; }
)");
  ASSERT_TRUE(result) << result.error.message;
  const auto& kernels = result.program->kernels();
  EXPECT_EQ(kernels[0].static_shared_bytes, 0u);
  EXPECT_EQ(kernels[1].static_shared_bytes, 120u);
  EXPECT_FALSE(kernels[1].uses_dynamic_shared);
  EXPECT_TRUE(kernels[2].uses_dynamic_shared);
}

TEST(Load, GlobalsHaveInitialBytesWithAddressesFilledIn) {
  testing::TestDevice device;
  ASSERT_TRUE(device.Load(std::string(kHeader) + R"(
.global .align 4 .b8 bytes[6] = {1, 2, 0xff};
.visible .global .align 8 .u64 pointer = generic(bytes)+4;
.const .align 4 .f32 floats[2] = {0f3F800000, -2.5};
.global .u64 both[2] = {7, bytes};
)")) << device.error.message;
  EXPECT_THAT(device.memory.Download<uint8_t>(device.Global("bytes"), 6),
              ::testing::ElementsAre(1, 2, 255, 0, 0, 0));
  EXPECT_EQ(device.memory.Download<uint64_t>(device.Global("pointer"), 1)[0],
            device.Global("bytes") + 4);
  EXPECT_THAT(device.memory.Download<float>(device.Global("floats"), 2),
              ::testing::ElementsAre(1.0f, -2.5f));
  EXPECT_EQ(device.memory.Download<uint64_t>(device.Global("both"), 2)[1], device.Global("bytes"));
  EXPECT_TRUE(device.program->globals()[*device.program->FindGlobal("pointer")].visible);
}

TEST(Load, LinkedTextsFindEachOthersVisibleNames) {
  std::string_view texts[] = {
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".extern .func (.param .b32 r) triple(.param .b32 a);\n.extern .global .u32 shared_name;\n"
      ".visible .entry k(.param .u64 p) { .reg .b64 %d<2>; .reg .b32 %r<4>; ld.param.u64 %d1, "
      "[p];\n"
      "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], 14; call (r0), triple, (a0); "
      "ld.param.b32 %r1, [r0]; }\n"
      "ld.global.u32 %r2, [shared_name]; add.s32 %r3, %r1, %r2; st.global.u32 [%d1], %r3; ret; }\n",
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .u32 shared_name = 100;\n"
      ".visible .func (.param .b32 r) triple(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, "
      "[a];\n"
      "mul.lo.s32 %r2, %r1, 3; st.param.b32 [r], %r2; ret; }\n"};
  LoadResult result = Program::Link(texts);
  ASSERT_TRUE(result) << result.error.message;
  testing::TestMemory memory;
  testing::TestClock clock;
  ModuleState module;
  module.global_addresses.push_back(memory.Upload(std::vector<uint32_t>{100}));
  uint64_t out = memory.Allocate(4);
  LaunchResult launched = Launch(*result.program, 0, LaunchConfig{}, testing::Pack(out), module,
                                 Environment(memory, clock));
  ASSERT_TRUE(launched.ok()) << launched.fault->message;
  EXPECT_EQ(memory.Download<uint32_t>(out, 1)[0], 142u);
}

TEST(Load, EveryPrefixOfAModuleIsRefusedOrLoaded) {
  std::string text = testing::ReadTestData("algorithms.sm75.O0.ptx");
  for (size_t length = 0; length < text.size(); length += 61) {
    LoadResult result = Program::Load(std::string_view(text).substr(0, length));
    EXPECT_TRUE(result || !result.error.message.empty()) << length;
  }
}

}  // namespace
}  // namespace culprit::exec
