// SPDX-License-Identifier: Apache-2.0
//
// culprit-host REQUEST RESULTS_FD: loads a port with the driver under test beneath it and runs
// suites on it. Started by the culprit command; see request.h for what goes in and out.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "suites/runner/certification.h"
#include "suites/runner/minimizer.h"
#include "suites/runner/request.h"
#include "suites/runner/suite_reader.h"

namespace culprit::suites {
namespace {

class Answers {
 public:
  explicit Answers(int fd) : file_(fdopen(fd, "w")) {}
  ~Answers() {
    if (file_ != nullptr) fclose(file_);
  }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;
  bool ok() const { return file_ != nullptr; }

  void Send(const nlohmann::json& line) {
    Write(line);
    fflush(file_);
  }
  // May stay in the buffer until the next Send.
  void Write(const nlohmann::json& line) {
    const std::string text =
        line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    fwrite(text.data(), 1, text.size(), file_);
  }

 private:
  FILE* file_;
};

// A vendor's driver and a device that answers. Asked in a child: this process must not initialise a
// driver, since its children could not use it.
void DemandDevice(const DriverUnderTest& driver) {
  const auto identity = nlohmann::json::parse(driver.control().identity());
  if (identity.value("vendor_library", "none") == "none") {
    throw std::runtime_error("no vendor's driver was found on this machine");
  }
  const pid_t child = fork();
  if (child == 0) _exit(driver.entries().cuInit(0) == CUDA_SUCCESS ? 0 : 1);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || status != 0) {
    throw std::runtime_error(fmt::format("{} finds no usable device (cuInit fails)",
                                         identity.value("vendor_library", "")));
  }
}

CertificationPlan PlanOf(const HostRequest& request) {
  CertificationPlan plan;
  for (const std::string& path : request.suites) plan.suites.push_back(ReadSuite(path));
  plan.selection = request.selection;
  plan.shard = request.shard;
  plan.jobs = request.jobs;
  plan.clips = request.clips;
  plan.golden = request.golden;
  plan.replay = request.replay;
  plan.stop_at = request.stop_at;
  plan.all_singles = request.all_singles;
  plan.pairs = request.pairs;
  plan.reuse_launches = request.reuse_launches;
  plan.only = request.only;
  plan.never_supported = request.never_supported;
  return plan;
}

// Runs one case; empty when the scenario does not come so far. `shape` is that of its clip.
std::optional<CaseResult> RunOne(const PortLibrary& port, const DriverUnderTest& driver,
                                 const HostRequest& request, const ReplayRequest& wanted,
                                 ClipShape* shape) {
  CertificationPlan plan = PlanOf(request);
  plan.replay = wanted;
  plan.jobs = 1;
  std::optional<CaseResult> found;
  Certification(port, driver, std::move(plan))
      .Run({.on_case =
                [&](const CaseGroup& group, const CaseResult& result) {
                  *shape = group.clip->shape();
                  const bool itself = result.index == 0;
                  if (itself == (wanted.index == 0)) found = result;
                },
            .on_group = [](const GroupResult&) {},
            .on_skip = [](const Skip&) {},
            .on_progress = [](uint64_t, uint64_t) {}});
  return found;
}

// Frames may go where the clip is a pattern and the scenario does not count calls: 1 otherwise.
uint32_t FramesThatMayGo(const HostRequest& request) {
  const Suite suite = ReadSuite(request.suites.front());
  for (const Scenario& scenario : suite.scenarios) {
    if (scenario.name != request.replay->scenario) continue;
    const ClipChoice& clip = scenario.clip ? *scenario.clip : suite.clip;
    const CallExpectation& calls = scenario.expect.calls;
    return clip.name.empty() && calls.count.empty() && calls.in_order.empty() ? clip.frames : 1;
  }
  return 1;
}

void Minimize(const PortLibrary& port, const DriverUnderTest& driver, const HostRequest& request,
              Answers& answers) {
  ClipShape shape;
  const auto run = [&](const ReplayRequest& wanted) {
    return RunOne(port, driver, request, wanted, &shape);
  };
  const auto minimal =
      Minimizer(run, request.minimize, {.frames = FramesThatMayGo(request)}).Run(*request.replay);
  if (!minimal) return;
  run(minimal->request);  // for its shape
  nlohmann::json faults = nlohmann::json::array();
  for (const Fault& fault : minimal->request.faults) faults.push_back(ToJson(fault));
  answers.Send({{"type", "minimal"},
                {"settings", ToJson(minimal->request.settings)},
                {"faults", std::move(faults)},
                {"index", minimal->request.index},
                {"limit", minimal->request.frames},
                {"width", shape.width},
                {"height", shape.height},
                {"frames", shape.frames},
                {"case", ToJson(minimal->result)},
                {"tries", minimal->tries}});
}

void Serve(const HostRequest& request, Answers& answers) {
  const DriverUnderTest driver = DriverUnderTest::Open();
  if (request.selection.real) DemandDevice(driver);
  answers.Send({{"type", "loading"}});
  const PortLibrary port = PortLibrary::Load(request.port);
  answers.Send({{"type", "identity"},
                {"port", port.Identity()},
                {"driver", nlohmann::json::parse(driver.control().identity())},
                {"settings", nlohmann::json::parse(driver.control().settings())},
                {"mapped_driver", driver.path()}});
  if (!request.minimize.empty()) {
    Minimize(port, driver, request, answers);
    answers.Send({{"type", "done"}});
    return;
  }
  Certification certification(port, driver, PlanOf(request));
  certification.Run(
      {.on_case =
           [&](const CaseGroup& group, const CaseResult& result) {
             answers.Write({{"type", "case"}, {"group", group.number}, {"case", ToJson(result)}});
           },
       .on_group =
           [&](const GroupResult& group) {
             nlohmann::json line = ToJson(group);
             line["type"] = "group";
             answers.Send(line);
           },
       .on_skip =
           [&](const Skip& skip) {
             answers.Send({{"type", "skip"},
                           {"suite", skip.suite},
                           {"what", skip.what},
                           {"reason", skip.reason}});
           },
       .on_progress =
           [&](uint64_t done, uint64_t planned) {
             answers.Send({{"type", "progress"}, {"done", done}, {"planned", planned}});
           }});
  answers.Send({{"type", "sites"}, {"sites", certification.sites().Json()}});
  answers.Send({{"type", "done"}});
}

int Main(int argc, char** argv) {
  int fd = -1;
  const char* end = argc == 3 ? argv[2] + strlen(argv[2]) : nullptr;
  if (argc != 3 || std::from_chars(argv[2], end, fd).ptr != end || fd < 0) {
    fmt::print(stderr, "usage: culprit-host REQUEST RESULTS_FD; use the culprit command instead\n");
    return 2;
  }
  Answers answers(fd);
  if (!answers.ok()) {
    fmt::print(stderr, "culprit-host: descriptor {}: {}\n", fd, strerror(errno));
    return 2;
  }
  try {
    std::ifstream file(argv[1]);
    Serve(HostRequestFromJson(nlohmann::json::parse(file)), answers);
    return 0;
  } catch (const InputError& error) {
    answers.Send({{"type", "failed"}, {"reason", error.what()}, {"input", true}});
    return 1;
  } catch (const std::exception& error) {
    answers.Send({{"type", "failed"}, {"reason", error.what()}, {"input", false}});
    return 1;
  }
}

}  // namespace
}  // namespace culprit::suites

int main(int argc, char** argv) { return culprit::suites::Main(argc, argv); }
