// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/rerun.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "input/input_error.h"
#include "input/number.h"
#include "suites/runner/digest.h"
#include "suites/runner/hash.h"
#include "tools/culprit/host_process.h"

namespace culprit::tools {
namespace {

constexpr size_t kMostObjections = 20;

struct Outcome {
  bool passed = false;
  uint64_t end_state = 0;
  uint64_t driver_calls = 0;
  std::string faults;

  bool operator==(const Outcome&) const = default;
};

Outcome OutcomeOf(const suites::CaseResult& result) {
  return {result.passed(), result.end_state, result.driver_calls, result.Name()};
}

// Worker threads make their calls in another order each time, and the nth call of an entry, where
// the fault is, is then another one. Of their life cycles only that they pass must come again.
bool CameAgain(const Outcome& known, const Outcome& now, bool has_threads) {
  if (!has_threads) return known == now;
  return known.faults == now.faults && (now.passed || !known.passed);
}

using Outcomes = std::map<std::pair<uint32_t, uint32_t>, Outcome>;

suites::HostRequest RequestFor(const Installation& installation, const Report& report) {
  suites::HostRequest request;
  report.identity.at("port").at("path").get_to(request.port);
  for (const SuiteIdentity& suite : report.suites) {
    if (suites::Sha256OfFile(suite.path) != suite.sha256) {
      throw std::runtime_error(fmt::format(
          "{}: is not the suite that was run, so nothing can be run again", suite.path));
    }
    request.suites.push_back(suite.path);
  }
  const nlohmann::json& selection = report.selection;
  request.selection = {selection.at("profiles"), selection.at("policies"), selection.at("seed"),
                       selection.value("real", false)};
  request.shard = suites::ParseShard(selection.at("shard"));
  request.all_singles = selection.at("singles") == "all";
  selection.at("pairs").get_to(request.pairs);
  selection.at("reuse_launches").get_to(request.reuse_launches);
  if (report.expectations) request.never_supported = report.expectations->NeverSupported();
  request.jobs = std::max(1U, std::thread::hardware_concurrency());
  request.clips = installation.clips;
  request.golden = installation.golden;
  return request;
}

void Object(std::string objection, Rerun* rerun) {
  if (rerun->objections.size() < kMostObjections) rerun->objections.push_back(std::move(objection));
}

}  // namespace

double ParseShare(const std::string& text) {
  const auto percent = text.ends_with('%')
                           ? NumberIn(std::string_view(text).substr(0, text.size() - 1))
                           : std::nullopt;
  if (!percent || *percent <= 0 || *percent > 100) {
    throw InputError(fmt::format("'{}' is no share; write one like 5%, up to 100%", text));
  }
  return *percent / 100;
}

std::vector<uint32_t> Sample(uint32_t group, const std::vector<uint32_t>& cases, double share,
                             uint64_t seed) {
  std::vector<std::pair<uint64_t, uint32_t>> drawn;
  for (const uint32_t index : cases) {
    drawn.emplace_back(suites::Hash().Add(seed).Add(group).Add(index).value(), index);
  }
  std::sort(drawn.begin(), drawn.end());
  const auto wanted = static_cast<size_t>(share * static_cast<double>(cases.size()) + 0.999999);
  drawn.resize(std::min(drawn.size(), std::max<size_t>(wanted, 1)));
  std::vector<uint32_t> sample;
  for (const auto& [order, index] : drawn) sample.push_back(index);
  std::sort(sample.begin(), sample.end());
  return sample;
}

Rerun RunAgain(const Installation& installation, const Report& report, const ResultsStore& store,
               double share, uint64_t seed) {
  Rerun rerun;
  suites::HostRequest request = RequestFor(installation, report);
  Outcomes expected;
  for (const suites::GroupResult& group : report.groups) {
    std::vector<uint32_t> cases;
    store.ForEachCase(group.number, [&](const suites::CaseResult& result, bool) {
      cases.push_back(result.index);
    });
    std::vector<uint32_t> sample = Sample(group.number, cases, share, seed);
    store.ForEachCase(group.number, [&](const suites::CaseResult& result, bool) {
      if (!std::binary_search(sample.begin(), sample.end(), result.index)) return;
      expected[{group.number, result.index}] = OutcomeOf(result);
    });
    request.only.push_back({group.number, std::move(sample)});
  }
  const std::string failure = RunHost(
      installation.host, installation.DriverFolder(request.selection.real), request,
      [&](const nlohmann::json& answer) {
        const auto type = answer.at("type").get<std::string>();
        if (type == "identity" &&
            answer.at("port").at("build_id") != report.identity.at("port").at("build_id")) {
          Object("the port was built anew since", &rerun);
        }
        if (type != "case") return;
        const suites::CaseResult result = suites::CaseResultFromJson(answer.at("case"));
        const auto group = answer.at("group").get<uint32_t>();
        const auto known = expected.find({group, result.index});
        if (known == expected.end()) return;
        ++rerun.cases;
        const bool has_threads = report.groups[group].settings.threads != 0;
        if (!CameAgain(known->second, OutcomeOf(result), has_threads)) {
          Object(fmt::format("{}/{}, case {} ({}): it came to another end when it was run again",
                             report.groups[group].suite, report.groups[group].scenario,
                             result.index, result.Name()),
                 &rerun);
        }
        expected.erase(known);
      });
  if (!failure.empty()) Object(failure, &rerun);
  if (failure.empty() && !expected.empty()) {
    Object(fmt::format("{} of the cases could not be run again", expected.size()), &rerun);
  }
  return rerun;
}

}  // namespace culprit::tools
