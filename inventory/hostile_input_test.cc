// SPDX-License-Identifier: Apache-2.0
// Sources that nobody writes and a checker meets all the same: each must end, quickly and without a
// crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "input/scratch_folder.h"
#include "inventory/check.h"
#include "inventory/scan/file_walk.h"
#include "inventory/testing/example_contract.h"
#include "inventory/testing/source_tree.h"

namespace culprit::inventory {
namespace {

namespace fs = std::filesystem;

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

// A tree on disk, for what only a file system can do to a checker.
class HostileTreeTest : public testing::Test {
 protected:
  HostileTreeTest() {
    std::ofstream(root_ / "a.c") << "int f(CUmodule m) { return cuModuleUnload(m); }\n";
  }
  ~HostileTreeTest() override {
    std::error_code error;
    fs::permissions(root_ / "closed", fs::perms::owner_all, error);
  }

  std::string ErrorOf() const {
    try {
      ReadTree(root_, Contract{});
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  const ScratchFolder folder_;

 protected:
  const fs::path& root_ = folder_.path();
};

TEST_F(HostileTreeTest, LinksThatGoRoundAreNotFollowed) {
  fs::create_directory_symlink(root_, root_ / "again");
  fs::create_symlink("self.c", root_ / "self.c");
  EXPECT_EQ(ReadTree(root_, Contract{}).sources.size(), 1u);
}

TEST_F(HostileTreeTest, AFolderNamedLikeASourceIsAFolder) {
  fs::create_directory(root_ / "folder.c");
  EXPECT_EQ(ReadTree(root_, Contract{}).sources.size(), 1u);
}

TEST_F(HostileTreeTest, AFileThatIsTooLargeIsNamed) {
  std::ofstream(root_ / "tables.h") << "int x;";
  fs::resize_file(root_ / "tables.h", 33u << 20);
  EXPECT_THAT(ErrorOf(), testing::HasSubstr("tables.h: files of more than 32 MiB are not read"));
  Contract contract;
  contract.exclude = {"tables.h"};
  EXPECT_EQ(ReadTree(root_, contract).sources.size(), 1u);
}

TEST_F(HostileTreeTest, WhatHasNoSizeIsReadToItsEndAndNoFurther) {
  const fs::path pipe = root_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "version = 1\n"; });
  EXPECT_EQ(ReadFile(pipe), "version = 1\n");
  writer.join();
  EXPECT_EQ(ReadTree(root_, Contract{}).sources.size(), 1u);
  EXPECT_THROW(ReadFile("/dev/zero"), InputError);
}

TEST_F(HostileTreeTest, Utf16IsRefusedByName) {
  std::ofstream(root_ / "wide.c") << "\xFF\xFEi";
  EXPECT_THAT(ErrorOf(), testing::HasSubstr("wide.c: UTF-16 is not read"));
}

TEST_F(HostileTreeTest, WhatCannotBeReadIsNamed) {
  if (geteuid() == 0) GTEST_SKIP() << "nothing is unreadable to root";
  fs::create_directory(root_ / "closed");
  fs::permissions(root_ / "closed", fs::perms::none);
  EXPECT_THAT(ErrorOf(), testing::HasSubstr("cannot be read"));
}

TEST_F(HostileTreeTest, NamesThatAreNoTextAreReported) {
  std::ofstream(root_ / "b\n\xff.c") << "int g(CUmodule m) { return cuModuleUnload(m); }\n";
  EXPECT_EQ(CheckTree(ReadTree(root_, Contract{}), Contract{}).findings.size(), 2u);
}

// One endless line is no more work than many short ones.
TEST(HostileSizeTest, OneLineOfManyStatementsEnds) {
  const std::string names = Repeated("x = f->cuModuleUnload, ", 100000);
  const Tree tree = TreeOf({{"a.c", "int f(void) { " + names + "0; }"}});
  EXPECT_EQ(CheckTree(tree, Contract{}).findings.size(), 1000u);
}

// Nor are many functions in one file more than in many files.
TEST(HostileSizeTest, ManyFunctionsInOneFileEnd) {
  const std::string text =
      Repeated("int f(CUmodule m) { cuInit(0); return cuModuleUnload(m); }\n", 60000);
  EXPECT_EQ(CheckSource(text).files[0].teardowns.size(), 60000u);
}

TEST(HostileSizeTest, ALongBaselineIsReadOnce) {
  std::string entries;
  for (int i = 0; i < 50000; ++i)
    entries += (i ? ",\n" : "") + std::string(R"({"reason": "known", "fingerprint": ")") +
               std::to_string(i) + "\"}";
  const Baseline baseline =
      ParseBaseline("{\"version\": 1, \"entries\": [\n" + entries + "]}", "base.json");
  EXPECT_EQ(baseline.entries.back().line, 50001u);
}

}  // namespace
}  // namespace culprit::inventory
