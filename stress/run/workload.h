// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stress/run/session.h"

namespace culprit::stress {

// Two calls that belong together: one takes something from the driver, the other gives it back.
struct Pair {
  std::string take_name;  // "cuModuleLoadData"
  std::string give_name;  // "cuModuleUnload"
  std::function<Outcome()> take;
  std::function<Outcome()> give;
  std::vector<size_t> needs;  // earlier pairs without which this one makes no sense

  std::string Name() const { return take_name + " / " + give_name; }
};

// What a probe does over and over: take everything in order, give it back in reverse.
//
// A cycle is data, a list of pairs, so three things need no code of their own. The leaking control
// is the cycle with one release left out. A bisection runs parts of the list. Driver handles alive
// are takes minus gives.
class Workload {
 public:
  explicit Workload(Session& session) : session_(session) {}
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  // Makes what all cycles share, with the session's context current.
  virtual Outcome Setup() { return {}; }
  // Called before each cycle, with its number.
  virtual void Prepare(int64_t cycle) { cycle_ = cycle; }
  virtual Outcome Teardown() { return {}; }

  const std::vector<Pair>& pairs() const { return pairs_; }
  // The pair whose release the control leaves out.
  size_t control() const { return control_; }

 protected:
  size_t AddPair(std::string take_name, std::function<Outcome()> take, std::string give_name,
                 std::function<Outcome()> give, std::vector<size_t> needs = {}) {
    pairs_.push_back({std::move(take_name), std::move(give_name), std::move(take), std::move(give),
                      std::move(needs)});
    return pairs_.size() - 1;
  }
  void SetControl(size_t pair) { control_ = pair; }

  Session& session() const { return session_; }
  const Driver& driver() const { return session_.driver(); }
  int64_t cycle() const { return cycle_; }

 private:
  Session& session_;
  std::vector<Pair> pairs_;
  size_t control_ = 0;
  int64_t cycle_ = 0;
};

}  // namespace culprit::stress
