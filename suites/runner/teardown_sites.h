// SPDX-License-Identifier: Apache-2.0
//
// Where in its sources a subject destroys things: the call stacks of its teardown calls, counted
// over life cycles. A stack travels as "library+0xoffset" for each frame and becomes files and
// lines in the report (docs/sites.schema.json).
#ifndef SUITES_RUNNER_TEARDOWN_SITES_H_
#define SUITES_RUNNER_TEARDOWN_SITES_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "suites/runner/driver_calls.h"

namespace culprit::suites {

class TeardownSites {
 public:
  struct Counts {
    uint64_t runs = 0;     // how often the call was made
    uint64_t failed = 0;   // of them, with an error
    uint64_t retried = 0;  // of them, in a repeated attempt of a release
  };
  struct Place {
    std::string entry;
    std::vector<std::string> frames;  // innermost first
    auto operator<=>(const Place&) const = default;
  };

  // The teardown calls of a life cycle that ran with stacks on.
  void Add(const culprit_control_table& control, const EntryTable& entries,
           const std::vector<DriverCall>& log, const LifeCycleRecord& record);
  void Add(const TeardownSites& other);

  bool empty() const { return life_cycles_ == 0; }
  uint64_t life_cycles() const { return life_cycles_; }
  const std::map<Place, Counts>& places() const { return places_; }

  nlohmann::json Json() const;
  // Throws nlohmann::json::exception.
  static TeardownSites FromJson(const nlohmann::json& json);

 private:
  uint64_t life_cycles_ = 0;
  std::map<Place, Counts> places_;
  std::map<const void*, std::string> names_;  // of addresses in this process
  const std::string& NameOf(const void* address);
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_TEARDOWN_SITES_H_
