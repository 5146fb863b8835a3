// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/strategy.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

namespace culprit::interleavings {
namespace {

// The current thread as long as it can go on, else the first that can.
ThreadId WithoutPreemption(const Decision& decision) {
  return decision.current_can_go_on ? decision.current : decision.runnable.front();
}

class DepthFirstStrategy : public Strategy {
 public:
  DepthFirstStrategy(uint32_t preemptions, uint64_t most_runs)
      : bound_(preemptions), runs_left_(most_runs) {}

  bool Next() override {
    depth_ = 0;
    preemptions_ = 0;
    if (!started_) {
      started_ = true;
    } else if (!Advance()) {
      exhausted_ = true;
      return false;
    }
    return runs_left_-- != 0;
  }

  ThreadId Choose(const Decision& decision) override {
    if (depth_ == path_.size()) path_.push_back(NodeFor(decision));
    const Node& node = path_[depth_++];
    preemptions_ = node.preemptions_before + Cost(node, node.taken);
    return node.options[node.taken];
  }

  bool Exhausted() const override { return exhausted_; }

 private:
  struct Node {
    std::vector<ThreadId> options;  // the one without a preemption first
    size_t taken = 0;
    bool first_is_current = false;
    uint32_t preemptions_before = 0;
  };

  static uint32_t Cost(const Node& node, size_t option) {
    return node.first_is_current && option != 0 ? 1 : 0;
  }

  Node NodeFor(const Decision& decision) const {
    Node node;
    node.first_is_current = decision.current_can_go_on;
    node.preemptions_before = preemptions_;
    const ThreadId first = WithoutPreemption(decision);
    node.options.push_back(first);
    for (const ThreadId thread : decision.runnable) {
      if (thread != first) node.options.push_back(thread);
    }
    return node;
  }

  // To the deepest point with an option that was not taken and that the bound permits.
  bool Advance() {
    while (!path_.empty()) {
      Node& node = path_.back();
      const size_t next = node.taken + 1;
      if (next < node.options.size() && node.preemptions_before + Cost(node, next) <= bound_) {
        node.taken = next;
        return true;
      }
      path_.pop_back();
    }
    return false;
  }

  uint32_t bound_;
  uint64_t runs_left_;
  bool started_ = false;
  bool exhausted_ = false;
  std::vector<Node> path_;
  size_t depth_ = 0;
  uint32_t preemptions_ = 0;
};

class RandomStrategy : public Strategy {
 public:
  RandomStrategy(uint64_t seed, uint64_t runs) : generator_(seed), runs_left_(runs) {}
  bool Next() override { return runs_left_-- != 0; }
  ThreadId Choose(const Decision& decision) override {
    return decision.runnable[generator_() % decision.runnable.size()];
  }

 private:
  std::mt19937_64 generator_;
  uint64_t runs_left_;
};

class ProbabilisticStrategy : public Strategy {
 public:
  ProbabilisticStrategy(uint64_t seed, uint32_t depth, uint64_t runs)
      : generator_(seed), depth_(std::max(1U, depth)), runs_left_(runs) {}

  bool Next() override {
    if (runs_left_-- == 0) return false;
    points_expected_ = std::max<uint64_t>(points_, 1);
    points_ = 0;
    priorities_.clear();
    lowest_ = kMiddle;
    changes_.clear();
    for (uint32_t i = 1; i < depth_; ++i) changes_.insert(generator_() % points_expected_);
    return true;
  }

  ThreadId Choose(const Decision& decision) override {
    if (changes_.contains(points_++)) PriorityOf(decision.current) = --lowest_;
    return *std::max_element(
        decision.runnable.begin(), decision.runnable.end(),
        [this](ThreadId a, ThreadId b) { return PriorityOf(a) < PriorityOf(b); });
  }

 private:
  static constexpr uint64_t kMiddle = uint64_t{1} << 32;

  // Threads get theirs when they first show up: above the middle, at random.
  uint64_t& PriorityOf(ThreadId thread) {
    while (priorities_.size() <= thread) priorities_.push_back(kMiddle + generator_() % kMiddle);
    return priorities_[thread];
  }

  std::mt19937_64 generator_;
  uint32_t depth_;
  uint64_t runs_left_;
  uint64_t points_ = 0;
  uint64_t points_expected_ = 1;
  std::vector<uint64_t> priorities_;
  uint64_t lowest_ = kMiddle;
  std::set<uint64_t> changes_;
};

class FixedStrategy : public Strategy {
 public:
  explicit FixedStrategy(Schedule schedule) : schedule_(std::move(schedule)) {}
  bool Next() override { return !std::exchange(done_, true); }
  ThreadId Choose(const Decision& decision) override {
    if (at_ < schedule_.choices.size()) {
      const ThreadId wanted = schedule_.choices[at_++];
      if (std::find(decision.runnable.begin(), decision.runnable.end(), wanted) !=
          decision.runnable.end()) {
        return wanted;
      }
    }
    return WithoutPreemption(decision);
  }

 private:
  Schedule schedule_;
  size_t at_ = 0;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Strategy> DepthFirst(uint32_t preemptions, uint64_t most_runs) {
  return std::make_unique<DepthFirstStrategy>(preemptions, most_runs);
}

std::unique_ptr<Strategy> Random(uint64_t seed, uint64_t runs) {
  return std::make_unique<RandomStrategy>(seed, runs);
}

std::unique_ptr<Strategy> Probabilistic(uint64_t seed, uint32_t depth, uint64_t runs) {
  return std::make_unique<ProbabilisticStrategy>(seed, depth, runs);
}

std::unique_ptr<Strategy> Fixed(Schedule schedule) {
  return std::make_unique<FixedStrategy>(std::move(schedule));
}

}  // namespace culprit::interleavings
