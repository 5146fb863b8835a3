// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/teardown_sites.h"

#include <algorithm>
#include <array>

#include "suites/runner/code_address.h"

namespace culprit::suites {
namespace {

constexpr size_t kMostStackFrames = 16;

// The call before a return address lies one byte before it.
const void* Inside(const void* return_address) {
  return static_cast<const char*>(return_address) - 1;
}

bool InRepeatedRelease(const LifeCycleRecord& record, uint64_t sequence) {
  return std::any_of(record.calls.begin(), record.calls.end(), [&](const PortCall& call) {
    return call.attempt > 1 && sequence > call.calls_before && sequence <= call.calls_after;
  });
}

}  // namespace

const std::string& TeardownSites::NameOf(const void* address) {
  std::string& name = names_[address];
  if (name.empty()) name = CodeAt(address);
  return name;
}

void TeardownSites::Add(const culprit_control_table& control, const EntryTable& entries,
                        const std::vector<DriverCall>& log, const LifeCycleRecord& record) {
  ++life_cycles_;
  std::array<const void*, kMostStackFrames> frames;
  for (const DriverCall& call : log) {
    if (!entries.destroys[call.entry]) continue;
    const size_t depth =
        std::min(control.logged_stack(call.sequence, frames.data(), frames.size()), frames.size());
    if (depth == 0) continue;
    Place place{entries.names[call.entry], {}};
    for (size_t i = 0; i < depth; ++i) place.frames.push_back(NameOf(Inside(frames[i])));
    Counts& counts = places_[std::move(place)];
    ++counts.runs;
    counts.failed += call.result != 0 ? 1 : 0;
    counts.retried += InRepeatedRelease(record, call.sequence) ? 1 : 0;
  }
}

void TeardownSites::Add(const TeardownSites& other) {
  life_cycles_ += other.life_cycles_;
  for (const auto& [place, more] : other.places_) {
    Counts& counts = places_[place];
    counts.runs += more.runs;
    counts.failed += more.failed;
    counts.retried += more.retried;
  }
}

nlohmann::json TeardownSites::Json() const {
  nlohmann::json places = nlohmann::json::array();
  for (const auto& [place, counts] : places_) {
    places.push_back({{"entry", place.entry},
                      {"frames", place.frames},
                      {"runs", counts.runs},
                      {"failed", counts.failed},
                      {"retried", counts.retried}});
  }
  return {{"life_cycles", life_cycles_}, {"places", std::move(places)}};
}

TeardownSites TeardownSites::FromJson(const nlohmann::json& json) {
  TeardownSites sites;
  json.at("life_cycles").get_to(sites.life_cycles_);
  for (const nlohmann::json& place : json.at("places")) {
    Counts& counts = sites.places_[{place.at("entry"), place.at("frames")}];
    place.at("runs").get_to(counts.runs);
    place.at("failed").get_to(counts.failed);
    place.at("retried").get_to(counts.retried);
  }
  return sites;
}

}  // namespace culprit::suites
