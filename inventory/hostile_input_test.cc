// SPDX-License-Identifier: Apache-2.0
// Sources that nobody writes and a checker meets all the same: each must end, quickly and without a
// crash.
#include <gtest/gtest.h>

#include <string>

#include "inventory/check.h"
#include "inventory/testing/example_contract.h"
#include "inventory/testing/source_tree.h"

namespace culprit::inventory {
namespace {

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

Report CheckSource(const std::string& text) {
  const Contract contract = ParseContract(kExampleContract, "inventory.toml");
  return CheckTree(TreeOf({{"a.c", text}}), contract);
}

class HostileInputTest : public testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(HostileInputTest, EndsWithoutACrash) {
  EXPECT_EQ(CheckSource(GetParam().second).files.size(), 1u);
}

const std::pair<const char*, std::string> kHostile[] = {
    {"nothing", ""},
    {"zero_bytes", std::string("int f() { cuInit(0)\0\0; }", 24)},
    {"deep_parentheses", "int f(void) { return cuInit(" + Repeated("(", 20000)},
    {"deep_blocks", "int f(void) {" + Repeated("{", 20000) + "cuInit(0);"},
    {"deep_conditions", "int f(void) { if (" + Repeated("!", 20000) + "cuInit(0)) return 1; }"},
    {"a_long_sum",
     "int f(void) { int e = cuInit(0)" + Repeated(" + cuInit(0)", 5000) + "; return e; }"},
    {"a_long_else_if_chain",
     "int f(int x) { cuInit(0); " + Repeated("if (x) x = 1; else ", 5000) + "x = 2; return x; }"},
    {"open_directives", Repeated("#if X\nint f() { cuInit(0); \n#else\n", 3000)},
    {"open_string", "int f() { cuModuleUnload(\"" + Repeated("x", 100000)},
    {"many_branches",
     "int f(void) { int a = 0;" +
         Repeated("if (cuCtxPushCurrent(c)) a = 1; if (a) cuCtxPopCurrent(0);", 300) +
         "return a; }"},
    {"many_results_in_a_line", "int f(void) {" + Repeated("int e = cuModuleUnload(m); ", 60) +
                                   "if (e) return e; return 0; }"},
    {"a_macro_of_itself",
     "#define A B\n#define B A\n#define C(x) x##C(x)\nint f() { A; C(cuInit); return cuInit(0); }"},
    {"labels_without_end", "int f() { a: goto b; b: goto a; cuInit(0); }"},
    {"not_text", Repeated("\xff\xfe{}();\"'\\", 5000)},
};

INSTANTIATE_TEST_SUITE_P(Hostile, HostileInputTest, testing::ValuesIn(kHostile),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace culprit::inventory
