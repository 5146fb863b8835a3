// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/sites.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "suites/runner/symbolizer.h"

namespace culprit::tools {
namespace {

using Json = nlohmann::ordered_json;
using suites::SourceFrame;
using Place = std::tuple<std::string, int, std::string>;  // file, line, function

Place PlaceOf(const SourceFrame& frame) { return {frame.file, frame.line, frame.function}; }

// The frames of a stack up to the harness, which called the port.
std::vector<Place> SubjectFrames(const std::vector<std::string>& frames,
                                 const suites::Symbolizer& symbolizer) {
  std::vector<Place> places;
  for (const std::string& frame : frames) {
    const size_t plus = frame.rfind('+');
    if (plus == std::string::npos) continue;
    const std::string module = frame.substr(0, plus);
    if (module.find("culprit-host") != std::string::npos) break;
    const uint64_t offset = std::strtoull(frame.c_str() + plus + 1, nullptr, 16);
    for (const SourceFrame& one : symbolizer.FindInModule(module, offset)) {
      places.push_back(PlaceOf(one));
    }
  }
  if (places.empty()) places.emplace_back();
  return places;
}

Json PlaceJson(const Place& place) {
  return {
      {"file", std::get<0>(place)}, {"line", std::get<1>(place)}, {"function", std::get<2>(place)}};
}

}  // namespace

Json SitesOf(const Report& report) {
  const suites::Symbolizer symbolizer("");
  // By source place: builds may spread one line over several addresses.
  std::map<std::pair<std::string, std::vector<Place>>, suites::TeardownSites::Counts> counted;
  for (const auto& [place, counts] : report.sites.places()) {
    suites::TeardownSites::Counts& sum =
        counted[{place.entry, SubjectFrames(place.frames, symbolizer)}];
    sum.runs += counts.runs;
    sum.failed += counts.failed;
    sum.retried += counts.retried;
  }
  const nlohmann::json port = report.identity.value("port", nlohmann::json::object());
  Json document = {{"schema", "culprit.sites/1"},
                   {"port", port.value("path", "")},
                   {"build_id", port.value("build_id", "")},
                   {"recorded_life_cycles", report.sites.life_cycles()},
                   {"sites", Json::array()}};
  for (const auto& [key, counts] : counted) {
    const auto& [entry, places] = key;
    Json site = {{"entry", entry}};
    site.update(PlaceJson(places.front()));
    site["runs"] = counts.runs;
    site["failed"] = counts.failed;
    site["retried"] = counts.retried;
    site["callers"] = Json::array();
    for (size_t i = 1; i < places.size(); ++i) site["callers"].push_back(PlaceJson(places[i]));
    document["sites"].push_back(std::move(site));
  }
  return document;
}

}  // namespace culprit::tools
