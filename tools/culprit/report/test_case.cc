// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/test_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "suites/runner/driver_result.h"

namespace culprit::tools {
namespace {

using suites::Step;
using suites::StepKind;

constexpr uint32_t kMostAttempts = 6;

constexpr const char* kHead = R"(// {suite}/{scenario}: {findings}
//
// {message}
//
// Written by culprit from a minimised failure. Run it with the fake's folder first in the library path;
// CULPRIT_PORT names another build of the port.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fakedriver/control/fake_driver.h"
#include "suites/culprit_port.h"

namespace {{

constexpr uint32_t kWidth = {width};
constexpr uint32_t kHeight = {height};
constexpr uint32_t kBits = {bits};
constexpr uint32_t kFrames = {frames};

// A picture of 4:2:0 in host memory.
struct Picture {{
  explicit Picture(uint32_t index) {{
    frame.size = sizeof(frame);
    frame.width = kWidth;
    frame.height = kHeight;
    frame.bits = kBits;
    frame.format = CULPRIT_PIXEL_420;
    frame.planes = 3;
    for (uint32_t plane = 0; plane < 3; ++plane) {{
      const uint32_t width = plane == 0 ? kWidth : (kWidth + 1) / 2;
      const uint32_t height = plane == 0 ? kHeight : (kHeight + 1) / 2;
      for (uint32_t i = 0; i < width * height; ++i) {{
        samples[plane].push_back(static_cast<uint8_t>(i * 7 + i / width * 3 + index * 11));
        if (kBits > 8) samples[plane].push_back(0);
      }}
      frame.data[plane] = samples[plane].data();
      frame.stride[plane] = size_t{{width}} * (kBits > 8 ? 2 : 1);
    }}
  }}
  std::vector<uint8_t> samples[3];
  culprit_frame frame{{}};
}};

const culprit_port& Port() {{
  const char* other = std::getenv("CULPRIT_PORT");
  void* library = dlopen(other != nullptr ? other : "{port}", RTLD_NOW);
  if (library == nullptr) {{
    ADD_FAILURE() << dlerror();
    std::abort();
  }}
  return *reinterpret_cast<culprit_port_entry_fn>(dlsym(library, CULPRIT_PORT_ENTRY))();
}}

TEST(Minimised, {name}) {{
  const culprit::Fake fake = culprit::Fake::Load();
  fake.Configure({{{{"profile", "{profile}"}}, {{"policy", "{policy}"}}, {{"seed", {seed}}}, {{"certify", true}}}});
  fake.Reset();
  const culprit_port& port = Port();
)";

constexpr const char* kCall = R"(
  // The CUresult of each call into the port that failed; 0 where the driver had no part in it.
  std::vector<int> reported;
  bool failed = false;
  const auto call = [&](const auto& function) {
    culprit_status status{};
    status.size = sizeof(status);
    const bool good = function(&status) == 0;
    if (!good) reported.push_back(status.cu_result);
    return good;
  };
  [[maybe_unused]] culprit_state* state = nullptr;
  [[maybe_unused]] culprit_session* session = nullptr;
  [[maybe_unused]] void* instance = nullptr;
)";

// What a step needs to have, for whatever is left to run after a failure.
std::string Condition(const Step& step) {
  switch (step.kind) {
    case StepKind::kStateInit:
    case StepKind::kOpen:
    case StepKind::kOperate:
      return "!failed";
    default:
      return "!failed && session != nullptr";
  }
}

std::string Work(const Step& step, const std::string& expression) {
  const std::string made =
      fmt::format("call([&](culprit_status* status) {{ return {}; }})", expression);
  if (step.fails_with) {
    return fmt::format("  if ({}) EXPECT_FALSE({}) << \"must fail with {}\";\n", Condition(step),
                       made, step.fails_with->name);
  }
  return fmt::format("  if ({}) failed = !{};\n", Condition(step), made);
}

std::string OptionsText(const suites::Options& options) {
  if (options.empty()) return "nullptr, 0";
  std::string list;
  for (const auto& [key, value] : options) {
    list += fmt::format("{}{{\"{}\", \"{}\"}}", list.empty() ? "" : ", ", key, value);
  }
  return fmt::format("std::vector<culprit_option>{{{}}}.data(), {}", list, options.size());
}

class Writer {
 public:
  explicit Writer(const TestCase& of) : of_(of) {}

  std::string Run() {
    std::string text = Head() + Faults() + kCall;
    for (const Step& step : of_.scenario->steps) text += StepText(step);
    return text + Checks() + "}\n\n}  // namespace\n";
  }

 private:
  std::string Head() const {
    std::string name = of_.suite + "_" + of_.findings.front();
    std::replace(name.begin(), name.end(), '.', '_');
    std::string ids;
    for (const std::string& id : of_.findings) ids += (ids.empty() ? "" : ", ") + id;
    std::string message = of_.message;
    std::replace(message.begin(), message.end(), '\n', ' ');
    return fmt::format(
        fmt::runtime(kHead), fmt::arg("suite", of_.suite), fmt::arg("scenario", of_.scenario->name),
        fmt::arg("findings", ids), fmt::arg("message", message), fmt::arg("width", of_.width),
        fmt::arg("height", of_.height), fmt::arg("bits", of_.settings.bits),
        fmt::arg("frames", of_.frames), fmt::arg("port", of_.port), fmt::arg("name", name),
        fmt::arg("profile", of_.settings.profile), fmt::arg("policy", of_.settings.policy),
        fmt::arg("seed", of_.settings.seed));
  }

  std::string Faults() const {
    std::string text;
    for (size_t i = 0; i < of_.faults.size(); ++i) {
      const suites::Fault& fault = of_.faults[i];
      text += fmt::format(
          "  const culprit::InjectedFault fault{} = fake.Inject({{.entry = \"{}\", .nth = {}, "
          ".after = {}, .sticky = {},\n      .result = {} /* {} */, .optional = {}}});\n",
          i + 1, fault.entry, fault.nth, fault.when == suites::FaultWhen::kAfter,
          fault.span == suites::FaultSpan::kSticky, fault.result,
          suites::DriverResultName(fault.result), fault.optional);
    }
    return text;
  }

  std::string FrameLoop(const Step& step, const std::string& body) const {
    const uint32_t last = static_cast<uint32_t>(
        std::min<uint64_t>(of_.frames, uint64_t{step.first_frame} + step.frame_count));
    return fmt::format(
        "  for (uint32_t frame = {}; frame < {} && !failed && session != nullptr; ++frame) {{\n"
        "    Picture reference(frame);\n    Picture distorted(frame + 1);\n{}  }}\n",
        step.first_frame, last, body);
  }

  std::string Submit(const Step& step) const {
    constexpr const char* kCallIt =
        "    failed = !call([&](culprit_status* status) {{ return {}; }});\n";
    if (of_.settings.preallocate == 0) {
      return FrameLoop(step, fmt::format(fmt::runtime(kCallIt),
                                         "port.submit(session, &reference.frame, "
                                         "&distorted.frame, frame, status)"));
    }
    return FrameLoop(
        step, "    culprit_picture* first = nullptr;\n    culprit_picture* second = nullptr;\n" +
                  fmt::format(fmt::runtime(kCallIt),
                              "port.fetch(session, &reference.frame, &first, status)") +
                  "    if (failed) break;\n" +
                  fmt::format(fmt::runtime(kCallIt),
                              "port.fetch(session, &distorted.frame, &second, status)") +
                  "    if (failed) break;\n" +
                  fmt::format(fmt::runtime(kCallIt),
                              "port.submit_pictures(session, first, second, frame, status)"));
  }

  // Again and again, as the runner does it: twice under the faults, then without the sticky ones.
  std::string Release(const std::string& owner, const std::string& expression) const {
    std::string lifts;
    for (size_t i = 0; i < of_.faults.size(); ++i) {
      if (of_.faults[i].span != suites::FaultSpan::kSticky) continue;
      lifts +=
          fmt::format("    if (attempt % 2 == 0 && fault{0}.fired()) fault{0}.Lift();\n", i + 1);
    }
    return fmt::format(
        "  for (int attempt = 1; {0} != nullptr && attempt <= {1}; ++attempt) {{\n"
        "    if (call([&](culprit_status* status) {{ return {2}; }})) {3};\n{4}  }}\n",
        owner, kMostAttempts, expression, owner == "instance" ? "instance = nullptr" : "break",
        lifts);
  }

  std::string StepText(const Step& step) const {
    switch (step.kind) {
      case StepKind::kStateInit:
        return Work(step, "port.state_init(nullptr, &state, status)");
      case StepKind::kOpen:
        return fmt::format(
                   "  const culprit_config config{{sizeof(config), kWidth, kHeight, kBits, "
                   "CULPRIT_PIXEL_420, {}}};\n",
                   of_.settings.threads) +
               Work(step, "port.open(&config, &session, status)");
      case StepKind::kUse: {
        std::string text;
        for (const std::string& name : of_.settings.extractors) {
          text += Work(step, fmt::format("port.use_extractor(session, \"{}\", {}, status)", name,
                                         OptionsText(step.options)));
        }
        return text;
      }
      case StepKind::kImport:
        return Work(step, "port.import_state(session, state, status)");
      case StepKind::kPreallocate: {
        const uint32_t count = step.pictures != 0 ? step.pictures : of_.settings.preallocate;
        return count == 0 ? ""
                          : Work(step, fmt::format("port.preallocate(session, {}, status)", count));
      }
      case StepKind::kSubmit:
        return Submit(step);
      case StepKind::kFlush:
        return Work(step, "port.flush(session, status)");
      case StepKind::kClose:
        return Release("session", "port.close(&session, status)");
      case StepKind::kStateFree:
        return Release("state", "port.state_free(&state, status)");
      case StepKind::kOperate: {
        const std::string expression = fmt::format("port.operate(&instance, \"{}\", {}, status)",
                                                   step.operation, OptionsText(step.options));
        return step.operation == "release" ? Release("instance", expression)
                                           : Work(step, expression);
      }
      default:
        return "";  // scores are not looked at
    }
  }

  bool Found(const char* id) const {
    return std::find(of_.findings.begin(), of_.findings.end(), id) != of_.findings.end();
  }

  std::string Checks() const {
    std::string text = "\n";
    for (size_t i = 0; i < of_.faults.size(); ++i) {
      if (!of_.faults[i].optional) text += fmt::format("  EXPECT_TRUE(fault{}.fired());\n", i + 1);
    }
    if (Found("port.error_swallowed")) {
      text += "  EXPECT_FALSE(reported.empty()) << \"nobody reported the error\";\n";
    }
    if (Found("port.first_error_lost") && !of_.faults.empty()) {
      text += fmt::format(
          "  ASSERT_FALSE(reported.empty());\n  EXPECT_EQ(reported.front(), {}) << \"the first "
          "error is the one to report\";\n",
          of_.faults.front().result);
    }
    if (Found("port.unexpected_failure")) {
      text += "  EXPECT_TRUE(reported.empty()) << \"nothing was made to fail\";\n";
    }
    text +=
        "  EXPECT_EQ(session, nullptr) << \"it was never closed\";\n"
        "  EXPECT_EQ(state, nullptr) << \"it was never freed\";\n"
        "  EXPECT_EQ(instance, nullptr) << \"it was never released\";\n"
        "  EXPECT_EQ(fake.StackDepth(), 0U);\n  fake.EndOfLife();\n"
        "  for (const culprit::Finding& finding : fake.Findings()) {\n"
        "    EXPECT_NE(finding.severity, \"error\") << finding.rule << \": \" << finding.message;\n"
        "  }\n";
    return text;
  }

  const TestCase& of_;
};

// What only the runner can judge.
std::string WhyNot(const TestCase& of) {
  static constexpr const char* kJudgedHere[] = {"port.error_swallowed",
                                                "port.first_error_lost",
                                                "port.unexpected_failure",
                                                "port.retry_failed",
                                                "port.crash",
                                                "port.hang",
                                                "port.exit"};
  for (const std::string& id : of.findings) {
    const bool by_runner = id.rfind("port.", 0) == 0 || id.rfind("suite.", 0) == 0 ||
                           id == "leak.heap" || id == "leak.driver_library";
    const bool here =
        std::find(std::begin(kJudgedHere), std::end(kJudgedHere), id) != std::end(kJudgedHere);
    if (by_runner && !here) return fmt::format("{} is judged by the runner", id);
  }
  if (!of.pattern) return "its frames are those of a clip file";
  if (of.scenario->cycles > 1) return "it takes several life cycles";
  if (of.settings.caller != suites::CallerContext::kNone ||
      of.settings.state != suites::StateContext::kPrimary) {
    return "the caller has a context of its own";
  }
  for (const Step& step : of.scenario->steps) {
    if (step.thread != 0) return "its steps are on several threads";
    if (step.kind == StepKind::kFetch) return "it keeps pictures between steps";
  }
  return {};
}

}  // namespace

TestCaseText TestCaseOf(const TestCase& of) {
  TestCaseText result;
  result.why_not = WhyNot(of);
  if (result.why_not.empty()) result.text = Writer(of).Run();
  return result;
}

}  // namespace culprit::tools
