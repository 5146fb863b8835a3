// SPDX-License-Identifier: Apache-2.0
//
// What a user gets wrong is refused with exit code 2 and a sentence that names it. One row a
// mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tools/culprit/testing/command.h"
#include "tools/culprit/testing/replays.h"

namespace culprit::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// No words of a library, which say nothing to a user.
MATCHER_P(RefusesSaying, words, "") {
  *result_listener << "exit code " << arg.code << ", standard error: " << arg.error;
  return arg.code == 2 &&
         testing::Value(arg.error, AllOf(HasSubstr(words), Not(HasSubstr("json.exception")),
                                         Not(HasSubstr("terminate called")),
                                         Not(HasSubstr("basic_")), Not(HasSubstr("NOT ONE"))));
}

struct Wrong {
  const char* name;
  const char* arguments;
  const char* says;
  const char* given = "";  // content of the file "given"
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.arguments; }
std::string NameOf(const testing::TestParamInfo<Wrong>& info) { return info.param.name; }

class WrongInput : public testing::TestWithParam<Wrong> {};

TEST_P(WrongInput, IsRefusedAndNamed) {
  const CommandFolder folder;
  folder.Write("given", GetParam().given);
  EXPECT_THAT(folder.Culprit(GetParam().arguments), RefusesSaying(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Values, WrongInput,
    testing::Values(
        Wrong{"EmptyPort", "certify ''", "port: must not be empty"},
        Wrong{"EmptyReport", "certify $PORT --report ''", "--report: must not be empty"},
        Wrong{"EmptySuite", "certify $PORT --suite ''", "--suite: must not be empty"},
        Wrong{"EmptyShard", "certify $PORT --shard ''", "--shard: '' is no part; write i/n"},
        Wrong{"ShardBeyondTheLast", "certify $PORT --shard 3/2", "'3/2' is no part"},
        Wrong{"ShardThatOverflows", "certify $PORT --shard 4294967297/4294967298", "is no part"},
        Wrong{"ShardWithASign", "certify $PORT --shard -1/2", "'-1/2' is no part"},
        Wrong{"SeedThatOverflows", "certify $PORT --seed 18446744073709551616",
              "--seed: '18446744073709551616' is no whole number"},
        Wrong{"NegativeSeed", "certify $PORT --seed -1", "--seed: '-1' is no whole number"},
        Wrong{"ManyJobs", "certify $PORT --jobs 4294967297", "from 0 to 1024"},
        Wrong{"StopAtARule", "certify $PORT --stop-at LEAK-1", "'LEAK-1' is no finding"},
        Wrong{"UnknownCommand", "certfy $PORT", "no command 'certfy', did you mean certify"},
        Wrong{"CommandLikeNone", "frobnicate", "no command 'frobnicate'; `culprit --help`"},
        Wrong{"UnknownSuite", "certify $PORT --suite nonesuch", "there is no suite 'nonesuch'"},
        Wrong{"SweepWithoutTime", "sweep --timeout 0 -- $PROGRAM", "from 0.001 to 86400"},
        Wrong{"SweepForEver", "sweep --timeout inf -- $PROGRAM", "'inf' is no number"},
        Wrong{"SweepForNoNumber", "sweep --timeout nan -- $PROGRAM", "'nan' is no number"},
        Wrong{"RunForTooLong", "run --timeout 86401 -- $PROGRAM", "from 0.001 to 86400"},
        Wrong{"RerunNoNumber", "verify given --rerun nan%", "'nan%' is no share"},
        Wrong{"RerunNothing", "verify given --rerun 0%", "'0%' is no share"},
        Wrong{"RerunMoreThanAll", "verify given --rerun 101%", "'101%' is no share"},
        Wrong{"NewPortCalledTest", "new-port test", "CMake has a target of this name"},
        Wrong{"NewPortWithADash", "new-port my-port", "letters, digits and underscores"},
        Wrong{"NewPortThatIsThere", "new-port given", "given: "},
        Wrong{"StressWithoutCycles", "stress --all --cycles 0", "--cycles: '0' is no whole number"},
        Wrong{"StressForNoNumber", "stress --all --silence nan", "'nan' is no number"},
        Wrong{"StressTolerance", "stress --all --tolerate heap=inf", "with an amount from 0"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Files, WrongInput,
    testing::Values(
        Wrong{"PortIsAFolder", "certify .", ".: is no file; a port is a shared library"},
        Wrong{"PortIsNotThere", "certify ./libnone.so", "./libnone.so: no such file"},
        Wrong{"PortIsAText", "certify ./given --suite public_close", "given: is no port: ", "text"},
        Wrong{"PortIsEmpty", "certify ./given --suite public_close", "given: is no port: "},
        Wrong{"PortExportsNothing", "certify $LOADING --suite public_close",
              "it exports no culprit_port_entry"},
        Wrong{"ReportIsAFile", "certify $PORT --suite public_close --report given",
              "given: no folder for a report"},
        Wrong{"SuiteIsAFolder", "certify $PORT --suite ./", "./: cannot be read"},
        Wrong{"ExpectationsAreAFolder", "certify $PORT --expect .", ".: cannot be read"},
        Wrong{"ExpectationsAreEmpty", "certify $PORT --suite public_close --expect given",
              "nothing in the file"},
        Wrong{"ExpectationsOfNoSuite", "certify $PORT --suite public_close --expect given",
              "given:2:20: there is no suite 'state_fre'",
              "culprit_expectations: 1\nnever_supported: [ {suite: state_fre, reason: r}]\n"},
        Wrong{"ExpectationsOfNoScenario", "certify $PORT --suite public_close --expect given",
              "suite 'state_free' has no scenario 'nope'",
              "culprit_expectations: 1\n"
              "never_supported: [{suite: state_free, scenario: nope, reason: r}]\n"},
        Wrong{"KeyIsAFolder", "certify $PORT --sign .", ".: cannot be read"},
        Wrong{"KeyIsAText", "certify $PORT --sign given", "holds no private Ed25519 key", "text"},
        Wrong{"ProgramIsNotThere", "run -- /nope", "/nope: cannot be started: No such file"},
        Wrong{"ProgramIsAFolder", "run -- ./", "cannot be started: Permission denied"},
        Wrong{"SweptProgramIsNotThere", "sweep -- /nope", "/nope: cannot be started"},
        Wrong{"PlanIsAFolder", "run --plan . -- $PROGRAM", ".: cannot be read"},
        Wrong{"PlanIsEmpty", "run --plan given -- $PROGRAM",
              "given: plan.shape: the plan is empty"},
        Wrong{"PlanIsWrong", "run --plan given -- $PROGRAM", "given:1:11: plan.unknown_entry",
              "- {entry: cuFoo, before: 2}"},
        Wrong{"TraceIsAFolder", "run --trace . -- $PROGRAM", ".: cannot be written"},
        Wrong{"TraceIsFull", "run --trace /dev/full -- $PROGRAM", "/dev/full: No space left"},
        Wrong{"ReportOfARunIsAFolder", "run --report . -- $PROGRAM", ".: cannot be written"},
        Wrong{"SweepFolderIsAFile", "sweep --report given -- $PROGRAM", "given: no folder"},
        Wrong{"ConvertedFolder", "trace .", ".: cannot be read"},
        Wrong{"ConvertedNothing", "trace /dev/null", "/dev/null: is empty"},
        Wrong{"ConvertedText", "trace given", "given:1: this is no trace", "hello\n"},
        Wrong{"ConvertedToAFolder", "trace given -o .", ".: cannot be written", "hello\n"},
        Wrong{"ReplayIsAFolder", "replay .", ".: cannot be read"},
        Wrong{"ReplayIsEmpty", "replay given", "given: is empty"},
        Wrong{"ReplayIsNoJson", "replay given", "given:2: not JSON", "{\n]"},
        Wrong{"ReplayIsNoObject", "replay given", "given: the replay must be an object", "[]"},
        Wrong{"CertificateIsAFolder", "verify .", ".: cannot be read"},
        Wrong{"CertificateIsNotThere", "verify none.json", "none.json: cannot be read"},
        Wrong{"CertificateIsNoJson", "verify given", "given:1: not JSON", "text"},
        Wrong{"CertificateIsNone", "verify given", "the certificate needs 'culprit_certificate'",
              "{}"},
        Wrong{
            "PublicKeyIsAText", "verify given --public-key given", "holds no public Ed25519 key",
            R"({"culprit_certificate": 1, "verdict": "", "raw_results": {"file": "f", "sha256": ""}})"},
        Wrong{"MergedFolderIsNone", "merge given", "results.db: cannot be read"},
        Wrong{"StressReportIsAFolder", "stress --from .", ".: cannot be read"},
        Wrong{"StressKnownIsAFolder", "stress --all --known .", ".: cannot be read"}),
    NameOf);

// What a file with one field changed is refused with: a merge patch, in which null removes.
struct Edited {
  const char* name;
  const char* patch;
  const char* says;
};
void PrintTo(const Edited& edited, std::ostream* out) { *out << edited.patch; }
std::string NameOfEdit(const testing::TestParamInfo<Edited>& info) { return info.param.name; }

void ExpectRefusal(nlohmann::json replay, const Edited& edit) {
  replay.merge_patch(nlohmann::json::parse(edit.patch));
  const CommandFolder folder;
  folder.Write("replay.json", replay.dump(2));
  EXPECT_THAT(folder.Culprit("replay replay.json"), RefusesSaying(edit.says));
}

class EditedReplay : public testing::TestWithParam<Edited> {};

TEST_P(EditedReplay, IsRefusedAndNamed) {
  nlohmann::json replay = ReplayOfTinyPort();
  replay["case"] = 1;
  replay["faults"] = nlohmann::json::array({{{"entry", "cuInit"},
                                             {"nth", 1},
                                             {"when", "before"},
                                             {"span", "once"},
                                             {"result", "CUDA_ERROR_UNKNOWN"}}});
  ExpectRefusal(std::move(replay), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Fields, EditedReplay,
    testing::Values(
        Edited{"Version", R"({"culprit_replay": 2})", "a number from 1 to 1"},
        Edited{"FindingsAreNoList", R"({"findings": 3})", "the replay needs 'findings', a list"},
        Edited{"FindingWithoutId", R"({"findings": [{}]})", "finding 1 needs 'id', a string"},
        Edited{"SuiteIsANumber", R"({"suite": 3})", "the replay needs 'suite', a string"},
        Edited{"SuiteIsNotThere", R"({"suite": "nope"})", "suite 'nope' is neither at"},
        Edited{"NoScenario", R"({"scenario": "nope"})", "has no scenario 'nope' any more"},
        Edited{"NegativeFrames", R"({"frames": -1})", "needs 'frames', a number from 1"},
        Edited{"NegativeCase", R"({"case": -1})", "needs 'case', a number from 0"},
        Edited{"NoPort", R"({"port": null})", "needs 'port', a string"},
        Edited{"PortIsNotThere", R"({"port": "/nope.so"})", "/nope.so: no such file"},
        Edited{"NoFault", R"({"faults": []})", "the fault of a case of a sweep"},
        Edited{"UnknownEntry", R"({"faults": [{"entry": "cuFoo"}]})", "fault 1 needs 'entry'"},
        Edited{"UnknownProfile", R"({"settings": {"profile": "r999"}})",
               "settings needs 'profile', one of: r580"},
        Edited{"TooManyBits", R"({"settings": {"bits": 300}})", "'bits', a number from 8 to 16"}),
    NameOfEdit);

class EditedSweepReplay : public testing::TestWithParam<Edited> {};

TEST_P(EditedSweepReplay, IsRefusedAndNamed) {
  nlohmann::json replay = ReplayOfTestProgram();
  replay["plan"]["faults"] = nlohmann::json::array({{{"entry", "cuInit"}, {"before", 999}}});
  ExpectRefusal(std::move(replay), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Fields, EditedSweepReplay,
    testing::Values(
        Edited{"NoProgram", R"({"program": []})", "needs 'program', the program and its arguments"},
        Edited{"ProgramIsNotThere", R"({"program": ["/nope"]})", "/nope: cannot be started"},
        Edited{"NoPlan", R"({"plan": null})", "needs 'plan', an object"},
        Edited{"PlanWithoutFaults", R"({"plan": {"faults": null}})", "plan.shape"},
        Edited{"WrongPlan", R"({"plan": {"faults": [{"entry": "cuFoo"}]}})", "plan.unknown_entry"},
        Edited{"UnknownProfile", R"({"profile": "r999"})", "needs 'profile', one of: r580"},
        Edited{"UnknownPolicy", R"({"policy": ""})", "needs 'policy', one of: eager"},
        Edited{"NegativeLimit", R"({"limit_ms": -1})", "'limit_ms', a number from 1 to 86400000"},
        Edited{"HugeLimit", R"({"limit_ms": 1e18})", "'limit_ms', a number from 1 to 86400000"},
        Edited{"NoFolder", R"({"folder": "/nope"})", "/nope is not"}),
    NameOfEdit);

TEST(WrongSettingsTest, OfTheEnvironmentEndARunAsAWrongInput) {
  const CommandFolder folder;
  EXPECT_THAT(folder.Culprit("run -- $PROGRAM", "CULPRIT_SETTINGS={"),
              RefusesSaying("culprit: CULPRIT_SETTINGS: "));
  EXPECT_THAT(folder.Culprit("sweep -- $PROGRAM", "CULPRIT_SETTINGS={"),
              RefusesSaying("culprit: CULPRIT_SETTINGS: "));
}

TEST(LoadingPortTest, OneThatCrashesOrEndsTheProcessIsNamed) {
  const CommandFolder folder;
  const std::string port = CULPRIT_TEST_LOADING_PORT;
  EXPECT_THAT(folder.Culprit("certify $LOADING --suite public_close", "CULPRIT_TEST_LOADING=crash"),
              RefusesSaying(port + ": the process was killed by signal 11"));
  EXPECT_THAT(folder.Culprit("certify $LOADING --suite public_close", "CULPRIT_TEST_LOADING=exit"),
              RefusesSaying(port + ": the process ended with exit code 3"));
}

TEST(LoadingPortTest, APipeIsNotWaitedFor) {
  const CommandFolder folder;
  EXPECT_THAT(folder.Culprit("certify ./pipe", "mkfifo pipe;"),
              RefusesSaying("./pipe: is no file; a port is a shared library"));
}

TEST(HelpTest, OfACommandHasItsOwnExamplesOnly) {
  const CommandFolder folder;
  for (const std::string command :
       {"certify", "run", "sweep", "replay", "trace", "verify", "merge", "new-port", "where"}) {
    const std::string help = folder.Culprit(command + " --help").output;
    const size_t examples = help.find("Examples:\n");
    ASSERT_NE(examples, std::string::npos) << command;
    EXPECT_THAT(help.substr(examples), HasSubstr("culprit " + command)) << command;
    EXPECT_THAT(help, Not(HasSubstr("culprit stress --help"))) << command;
  }
  EXPECT_THAT(folder.Culprit("--help").output, HasSubstr("culprit stress --help"));
}

TEST(NewPortTest, ASlashBehindTheNameChangesNothing) {
  const CommandFolder folder;
  EXPECT_EQ(folder.Culprit("new-port mine/").code, 0);
  EXPECT_THAT(folder.Read("mine/CMakeLists.txt"), HasSubstr("project(mine C)"));
}

TEST(NewPortTest, TheSkeletonSaysWhichFunctionIsNotWritten) {
  const CommandFolder folder;
  ASSERT_EQ(folder.Culprit("new-port mine").code, 0);
  EXPECT_THAT(folder.Read("mine/mine.c"), HasSubstr("\"%s is not written yet\""));
}

TEST(TraceTest, OfWhatIsNoTraceNothingIsWritten) {
  const CommandFolder folder;
  folder.Write("calls.jsonl", "{\"culprit_trace\":1,\"pid\":1}\n{}\n{}\n");
  const Outcome outcome = folder.Culprit("trace calls.jsonl");
  EXPECT_THAT(outcome, RefusesSaying("calls.jsonl:2: a field of a call is missing"));
  EXPECT_EQ(outcome.output, "");
}

}  // namespace
}  // namespace culprit::tools
