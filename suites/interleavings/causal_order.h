// SPDX-License-Identifier: Apache-2.0
//
// Which steps of a run the subject itself has put in an order, by its mutexes, signals, and the
// beginnings and ends of its threads: vector clocks. What two threads do beside each other, without
// such an order, could have come the other way round.
#ifndef SUITES_INTERLEAVINGS_CAUSAL_ORDER_H_
#define SUITES_INTERLEAVINGS_CAUSAL_ORDER_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "suites/interleavings/schedule.h"

namespace culprit::interleavings {

class CausalOrder {
 public:
  // A run of thread 0.
  void Begin();
  void Created(ThreadId parent, ThreadId child);
  void Acquired(ThreadId thread, const void* mutex);
  void Released(ThreadId thread, const void* mutex);
  // A signal, or an end that somebody waited for: what `from` did before comes before what `to`
  // does next.
  void Handed(ThreadId from, ThreadId to);

  // A call on the thread's own stack of contexts, and one that ends a context. False when one of
  // the other kind was made beside it by another thread.
  bool NoteOwnStackCall(ThreadId thread);
  bool NoteContextEnd(ThreadId thread);

 private:
  using Clock = std::vector<uint64_t>;  // by thread
  using Moment = std::pair<ThreadId, uint64_t>;

  static uint64_t At(const Clock& clock, ThreadId thread) {
    return thread < clock.size() ? clock[thread] : 0;
  }
  static void Join(Clock& clock, const Clock& other);
  bool IsBefore(const Moment& moment, ThreadId thread) const {
    return moment.first == thread || moment.second <= At(clocks_[thread], moment.first);
  }
  // What the thread does from now on is not yet handed on.
  void Tick(ThreadId thread) { ++clocks_[thread][thread]; }

  std::vector<Clock> clocks_;
  std::map<const void*, Clock> mutexes_;
  std::map<ThreadId, uint64_t> own_stack_calls_;  // the last of each thread
  std::vector<Moment> ends_;
};

}  // namespace culprit::interleavings

#endif  // SUITES_INTERLEAVINGS_CAUSAL_ORDER_H_
