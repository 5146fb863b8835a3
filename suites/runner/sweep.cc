// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/sweep.h"

#include <cuda.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace culprit::suites {
namespace {

// The one result that stands for all: running out of memory where the entry can, else the last
// documented one, which is seldom a mere bad argument.
int32_t Representative(const std::vector<int32_t>& results) {
  const auto memory = std::find(results.begin(), results.end(), CUDA_ERROR_OUT_OF_MEMORY);
  return memory != results.end() ? *memory : results.back();
}

void Leave(std::string what, std::string reason, uint64_t count, std::vector<LeftOut>* left_out) {
  if (count == 0) return;
  for (LeftOut& known : *left_out) {
    if (known.what != what || known.reason != reason) continue;
    known.count += count;
    return;
  }
  left_out->push_back({std::move(what), std::move(reason), count});
}

// What the sweep asked for is less than every failure of every call.
void LeaveWhatWasNotAsked(const Sweep& sweep, uint64_t sites, uint64_t results, uint64_t taken,
                          std::vector<LeftOut>* left_out) {
  const auto lacks = [](const auto& list, auto one) {
    return std::find(list.begin(), list.end(), one) == list.end();
  };
  Leave("results", "the sweep takes one result for each call", results - taken, left_out);
  if (lacks(sweep.when, FaultWhen::kBefore))
    Leave("faults before the effect", "the sweep does not ask for them", sites, left_out);
  if (lacks(sweep.when, FaultWhen::kAfter))
    Leave("faults after the effect", "the sweep does not ask for them", sites, left_out);
  if (lacks(sweep.span, FaultSpan::kOnce))
    Leave("faults that happen once", "the sweep does not ask for them", sites, left_out);
  if (lacks(sweep.span, FaultSpan::kSticky))
    Leave("faults that stay", "the sweep does not ask for them", sites, left_out);
}

}  // namespace

std::vector<int32_t> ResultsOf(uint32_t entry, Sweep::Results which, const EntryTable& entries) {
  const std::vector<int32_t>& known = entries.results[entry];
  if (known.empty()) return {CUDA_ERROR_UNKNOWN};
  if (which == Sweep::Results::kOne) return {Representative(known)};
  return known;
}

SinglesPlan::SinglesPlan(const Sweep& sweep, const std::vector<CallMade>& calls,
                         const EntryTable& entries, bool threads, uint64_t outside)
    : calls_(calls.size() + outside) {
  // How often each entry was called before the call that is swept: up to there a run with a fault
  // is the same.
  std::map<std::string, uint64_t> made;
  uint64_t other_steps = 0;
  uint64_t results_known = 0;
  uint64_t results_taken = 0;
  for (const CallMade& call : calls) {
    const std::string& entry = entries.names[call.entry];
    ++made[LookupName(entry)];
    const bool wanted = sweep.during.empty() || std::find(sweep.during.begin(), sweep.during.end(),
                                                          call.during) != sweep.during.end();
    if (!wanted) {
      ++other_steps;
      continue;
    }
    ++sites_;
    const std::vector<int32_t> results = ResultsOf(call.entry, sweep.results, entries);
    results_taken += results.size();
    results_known += std::max<size_t>(entries.results[call.entry].size(), 1);
    for (const int32_t result : results) {
      for (const FaultWhen when : sweep.when) {
        for (const FaultSpan span : sweep.span) {
          const Fault fault{entry, call.nth, when, span, result, threads};
          if (sweep.followed_by.empty()) cases_.push_back({fault});
          for (Fault next : sweep.followed_by) {
            if (SameEntry(next.entry, fault.entry) && span == FaultSpan::kSticky) continue;
            next.nth = made[LookupName(next.entry)] + 1;
            cases_.push_back({fault, next});
          }
        }
      }
    }
  }
  if (threads) OrderByCall();
  Leave("calls", "they belong to steps that the sweep is not about", other_steps, &left_out_);
  Leave("calls", "no step of the life cycle made them", outside, &left_out_);
  LeaveWhatWasNotAsked(sweep, sites_, results_known, results_taken, &left_out_);
}

void SinglesPlan::OrderByCall() {
  const auto call_of = [](const std::vector<Fault>& faults) {
    return std::pair<const std::string&, uint64_t>(faults.front().entry, faults.front().nth);
  };
  std::stable_sort(cases_.begin(), cases_.end(),
                   [&](const auto& a, const auto& b) { return call_of(a) < call_of(b); });
}

PairsPlan::PairsPlan(const SinglesPlan& singles, std::vector<FaultClass> classes,
                     const Sweep& sweep, const EntryTable& entries)
    : singles_(&singles), entries_(&entries), sweep_(sweep), classes_(std::move(classes)) {
  starts_.push_back(0);
  for (uint32_t k = 0; k < classes_.size(); ++k) {
    first_faults_ += classes_[k].members;
    for (uint32_t i = 0; i < classes_[k].after.size(); ++i) {
      const CallMade& call = classes_[k].after[i];
      if (call.hit) continue;  // it fails as it is: the first fault stays
      const uint64_t faults = ResultsOf(call.entry, sweep.results, entries).size() *
                              sweep.when.size() * sweep.span.size();
      seconds_.push_back({k, i});
      starts_.push_back(starts_.back() + faults);
    }
  }
}

std::vector<Fault> PairsPlan::At(uint64_t i) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), i);
  const auto k = static_cast<size_t>(next - starts_.begin()) - 1;
  const Seconds& seconds = seconds_[k];
  const FaultClass& of = classes_[seconds.of_class];
  const CallMade& call = of.after[seconds.call];
  uint64_t rest = i - starts_[k];
  const FaultSpan span = sweep_.span[rest % sweep_.span.size()];
  rest /= sweep_.span.size();
  const FaultWhen when = sweep_.when[rest % sweep_.when.size()];
  rest /= sweep_.when.size();
  const Fault& first = singles_->At(of.first).front();
  return {first,
          {entries_->names[call.entry], call.nth, when, span,
           ResultsOf(call.entry, sweep_.results, *entries_)[rest], first.optional}};
}

}  // namespace culprit::suites
