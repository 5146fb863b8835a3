// SPDX-License-Identifier: Apache-2.0
// The command line as a script sees it: exit codes, what goes to which stream,
// and that a draft can be used as it is.
#include "inventory/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "input/scratch_folder.h"
#include "inventory/scan/file_walk.h"

namespace culprit::inventory {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kRaw[] = "int f(CUmodule m) { return cuModuleUnload(m); }\n";
constexpr char kNotesOnly[] = "int f(void) {\n  cuInit(0);\n  return 0;\n}\n";

struct Outcome {
  int exit_code;
  std::string out, error;
};

class CommandTest : public testing::Test {
 protected:
  CommandTest() { fs::create_directories(Path("src")); }

  std::string Path(const std::string &name) const { return folder_ / name; }

  void Write(const std::string &name, const std::string &text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  Outcome Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "inventory");
    std::vector<char *> argv;
    for (std::string &argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int exit_code = RunInventory(static_cast<int>(arguments.size()), argv.data());
    std::string out = testing::internal::GetCapturedStdout();
    return {exit_code, std::move(out), testing::internal::GetCapturedStderr()};
  }

 private:
  ScratchFolder folder_;
};

TEST_F(CommandTest, NothingFoundIsZero) {
  Write("src/a.c", "int f(void) { return 0; }\n");
  EXPECT_EQ(Run({Path("src")}).exit_code, 0);
}

TEST_F(CommandTest, ANewErrorIsOne) {
  Write("src/a.c", kRaw);
  const Outcome outcome = Run({Path("src")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("a.c:1:28: error: raw teardown"));
}

TEST_F(CommandTest, FailOnSaysWhichSeverityCounts) {
  Write("src/a.c", kNotesOnly);
  EXPECT_EQ(Run({Path("src")}).exit_code, 0);
  EXPECT_EQ(Run({Path("src"), "--fail-on", "warning"}).exit_code, 1);
  Write("src/a.c", kRaw);
  EXPECT_EQ(Run({Path("src"), "--fail-on", "never"}).exit_code, 0);
}

TEST_F(CommandTest, WrongInputIsTwoAndNamesIt) {
  Write("src/a.c", kRaw);
  Write("bad.toml", "version = 1\n[[helper]]\nname = \"y\"\nnam = \"x\"\n");
  Write("bad.json", "{");
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{Path("nowhere")}, "nowhere: no such folder"},
      {{Path("src"), "--config", Path("bad.toml")}, "bad.toml:4:7: unknown key 'nam'"},
      {{Path("src"), "--config", Path("missing.toml")}, "missing.toml: cannot be read"},
      {{Path("src"), "--baseline", Path("bad.json")}, "bad.json:1: not JSON"},
      {{Path("src"), "--runs", Path("bad.json")}, "bad.json:1: not JSON"},
      {{Path("src"), "--today", "soon"}, "'soon' is no day"},
      {{Path("src"), "--today", "2027-02-30"}, "'2027-02-30' is no day that exists"},
      {{Path("src"), "--config", Path("src")}, "src: cannot be read"},
      {{Path("src"), "--baseline", Path("src")}, "src: cannot be read"},
      {{Path("src"), "--runs", Path("src")}, "src: cannot be read"},
      {{Path("src"), "--write-baseline", Path("b.json")}, "needs --reason"},
      {{Path("src"), "--config", ""}, "--config: must not be empty"},
      {{Path("src"), "--no-such-option"}, "--no-such-option"},
      {{Path("src"), "--sarif", Path("no/such/folder.sarif")}, "cannot be written"},
  };
  for (const auto &[arguments, message] : wrong) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << message;
    EXPECT_THAT(outcome.error, HasSubstr(message));
  }
}

TEST_F(CommandTest, AFolderWithoutSourcesIsWrongInput) {
  EXPECT_EQ(Run({Path("src")}).exit_code, 2);
}

TEST_F(CommandTest, HelpNamesTheExitCodes) {
  const Outcome outcome = Run({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Exit codes:"));
}

TEST_F(CommandTest, ADraftedContractFitsTheSourcesItWasDraftedFrom) {
  Write("src/a.c",
        "int unload(struct s *s) {\n  int err = cuModuleUnload(s->module);\n"
        "  if (!err) s->module = 0;\n  return err;\n}\n"
        "int init(struct s *s) { return cuModuleLoadData(&s->module, image); }\n"
        "int close(struct s *s) { return unload(s); }\n");
  const Outcome draft = Run({"--init", Path("src")});
  ASSERT_EQ(draft.exit_code, 0);
  Write("src/inventory.toml", draft.out);
  const Outcome outcome = Run({Path("src")});
  EXPECT_THAT(outcome.error, IsEmpty());
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("raw teardown")));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("unknown-owner")));
}

TEST_F(CommandTest, ABaselineAcceptsWhatIsThere) {
  Write("src/a.c", kRaw);
  EXPECT_EQ(Run({Path("src"), "--write-baseline", Path("b.json"), "--reason", "known"}).exit_code,
            0);
  EXPECT_EQ(Run({Path("src"), "--baseline", Path("b.json")}).exit_code, 0);
  Write("src/b.c", "int g(CUevent e) { return cuEventDestroy(e); }\n");
  EXPECT_EQ(Run({Path("src"), "--baseline", Path("b.json")}).exit_code, 1);
}

// Where the repository's root is the working folder, as in a workflow.
TEST_F(CommandTest, AnnotationsAndSarifNameFilesFromTheWorkingFolder) {
  Write("src/a.c", kRaw);
  Write("src/Makefile", "LIBS = -L/opt/lib -lvmaf\n");
  const fs::path before = fs::current_path();
  fs::current_path(Path(""));
  const std::string annotations = Run({"src", "--github"}).out;
  const auto sarif = nlohmann::json::parse(Run({"src", "--sarif", "-"}).out);
  const std::string from_inside = Run({"--github", Path("src")}).out;
  fs::current_path(before);
  EXPECT_THAT(annotations, HasSubstr("::error file=src/a.c,line=1,"));
  EXPECT_THAT(annotations, HasSubstr("file=src/Makefile,line=1,"));
  EXPECT_EQ(from_inside, annotations);
  std::set<std::string> uris;
  for (const auto &result : sarif["runs"][0]["results"])
    uris.insert(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
  EXPECT_EQ(uris, (std::set<std::string>{"src/Makefile", "src/a.c"}));
}

TEST_F(CommandTest, AFileIsNoFolderAndACacheNeedsOne) {
  Write("src/a.c", kRaw);
  EXPECT_THAT(Run({Path("src/a.c")}).error, HasSubstr("a.c: not a folder"));
  const Outcome outcome = Run({Path("src"), "--cache", Path("src/a.c")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("the cache's folder cannot be made"));
}

TEST_F(CommandTest, ADraftNamesTheLifecycleAsTheTreeDoes) {
  Write("src/a.c",
        "int motion_init(struct s *s) { return cuModuleLoadData(&s->module, "
        "image); }\n"
        "int motion_close(struct s *s) { return cuModuleUnload(s->module); }\n");
  const std::string draft = Run({"--init", Path("src")}).out;
  EXPECT_THAT(draft, HasSubstr("init = [\"*_init\"]\nclose = [\"*_close\"]\n"));
}

TEST_F(CommandTest, ADraftLeavesAnUnbalancedFunctionAFinding) {
  Write("src/a.c",
        "int use(CUcontext context) {\n  int err = cuCtxPushCurrent(context);\n"
        "  if (err) return err;\n  return work();\n}\n");
  const std::string draft = Run({"--init", Path("src")}).out;
  EXPECT_THAT(draft, HasSubstr("push = []\npop = []\n"));
  EXPECT_THAT(draft, HasSubstr("#   use in a.c: push\n"));
  Write("src/inventory.toml", draft);
  const Outcome outcome = Run({Path("src")});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("[context-imbalance]"));
}

TEST_F(CommandTest, AFileThatIsNoSourceIsNamedAndNotCounted) {
  Write("src/a.c", "int f(void) { return 0; }\n");
  std::string bytes;
  for (int i = 0; i < 1024; ++i) bytes += static_cast<char>(i * 37 % 256);
  Write("src/data.c", bytes);
  const Outcome outcome = Run({Path("src")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.error, HasSubstr("data.c: no source, and not checked: "));
  EXPECT_THAT(outcome.out, HasSubstr("1 files, 2 lines; 1 not checked\n"));
  const auto json = nlohmann::json::parse(Run({Path("src"), "--json"}).out);
  EXPECT_EQ(json.at("files"), 1);
  EXPECT_EQ(json.at("not_checked").at(0).at("file"), "data.c");
  std::filesystem::remove(Path("src/a.c"));
  EXPECT_EQ(Run({Path("src")}).exit_code, 2) << "nothing was checked";
}

TEST_F(CommandTest, JsonIsAloneOnStandardOutputAndHoldsTheRuns) {
  Write("src/a.c", kRaw);
  Write("sites.json",
        R"({"schema": "culprit.sites/1", "sites": [{"entry": "cuModuleUnload", "file": "src/a.c",
            "line": 1, "function": "f", "runs": 7, "failed": 1, "retried": 0}]})");
  const Outcome outcome = Run({Path("src"), "--json", "--runs", Path("sites.json")});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["teardowns"]["sites"][0]["runs"], 7);
  const Outcome table = Run({Path("src"), "--runs", Path("sites.json")});
  EXPECT_THAT(table.out, HasSubstr("1 teardown sites: 1 run, 1 failed, 0 retried"));
  const Outcome twice =
      Run({"--json", "--runs", Path("sites.json"), "--runs", Path("sites.json"), Path("src")});
  EXPECT_EQ(nlohmann::json::parse(twice.out)["teardowns"]["sites"][0]["runs"], 14);
}

}  // namespace
}  // namespace culprit::inventory
