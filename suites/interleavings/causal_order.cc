// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/causal_order.h"

#include <algorithm>

namespace culprit::interleavings {

void CausalOrder::Begin() {
  clocks_.assign(1, Clock{1});
  mutexes_.clear();
  own_stack_calls_.clear();
  ends_.clear();
}

void CausalOrder::Join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void CausalOrder::Created(ThreadId parent, ThreadId child) {
  if (clocks_.size() <= child) clocks_.resize(child + 1);
  clocks_[child].assign(child + 1, 0);
  Join(clocks_[child], clocks_[parent]);
  Tick(child);
  Tick(parent);
}

void CausalOrder::Acquired(ThreadId thread, const void* mutex) {
  if (const auto found = mutexes_.find(mutex); found != mutexes_.end()) {
    Join(clocks_[thread], found->second);
  }
}

void CausalOrder::Released(ThreadId thread, const void* mutex) {
  mutexes_[mutex] = clocks_[thread];
  Tick(thread);
}

void CausalOrder::Handed(ThreadId from, ThreadId to) {
  Join(clocks_[to], clocks_[from]);
  Tick(from);
}

bool CausalOrder::NoteOwnStackCall(ThreadId thread) {
  own_stack_calls_[thread] = clocks_[thread][thread];
  return std::all_of(ends_.begin(), ends_.end(),
                     [&](const Moment& end) { return IsBefore(end, thread); });
}

bool CausalOrder::NoteContextEnd(ThreadId thread) {
  ends_.emplace_back(thread, clocks_[thread][thread]);
  return std::all_of(own_stack_calls_.begin(), own_stack_calls_.end(),
                     [&](const Moment& call) { return IsBefore(call, thread); });
}

}  // namespace culprit::interleavings
