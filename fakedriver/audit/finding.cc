// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/audit/finding.h"

#include <array>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/fork_safe.h"

namespace culprit::fakedriver::audit {
namespace {

constexpr RuleInfo kRules[] = {
#define AUDIT_RULE(constant, id, certifying, running, title) \
  {Rule::constant, id, Severity::certifying, Severity::running, title},
#include "fakedriver/audit/rules.def"
};

// A subject that makes the same mistake in a loop must not exhaust memory with it.
constexpr size_t kMostFindings = 10000;

struct Sink {
  std::mutex mutex;
  bool certifying = false;
  std::vector<Finding> findings;
  std::unordered_multimap<size_t, size_t> by_hash;  // index of each finding, by Hash
};

std::mutex& SinkMutex();

// Never destroyed: findings are raised until the process ends.
Sink& TheSink() {
  static Sink* sink = [] {
    TakeAroundForks<SinkMutex>();
    return new Sink;
  }();
  return *sink;
}

std::mutex& SinkMutex() { return TheSink().mutex; }

bool SameButForTheCall(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.entry == b.entry && a.harness == b.harness &&
         a.return_address == b.return_address && a.details.handle == b.details.handle &&
         a.details.message == b.details.message && a.details.argument == b.details.argument &&
         a.details.object == b.details.object && a.details.more == b.details.more;
}

// Agrees for findings that are the same but for the call.
size_t Hash(const Finding& finding) {
  size_t hash = static_cast<size_t>(finding.rule);
  for (size_t part : {std::hash<const void*>()(finding.return_address),
                      std::hash<uint64_t>()(finding.details.handle),
                      std::hash<std::string>()(finding.details.message),
                      std::hash<std::string>()(finding.details.object)}) {
    hash = hash * 1'000'003 + part;
  }
  return hash;
}

// With the sink's lock held.
Finding* FindSame(Sink& sink, const Finding& finding, size_t hash) {
  auto [first, last] = sink.by_hash.equal_range(hash);
  for (; first != last; ++first) {
    Finding& earlier = sink.findings[first->second];
    if (SameButForTheCall(earlier, finding)) return &earlier;
  }
  return nullptr;
}

}  // namespace

const RuleInfo& InfoOf(Rule rule) { return kRules[static_cast<size_t>(rule)]; }

const char* SeverityName(Severity severity) {
  constexpr std::array names = {"note", "warning", "error"};
  return names[static_cast<size_t>(severity)];
}

void Raise(Rule rule, Details details) noexcept {
  const RuleInfo& info = InfoOf(rule);
  if (details.message.empty()) details.message = info.title;
  Finding finding{.rule = rule, .severity = info.running, .details = std::move(details)};
  if (const CallInProgress* call = CurrentCall()) {
    finding.harness = call->harness;
    finding.call = call->sequence;
    finding.entry = Info(call->api).symbol;
    finding.thread = ThisThread().ordinal;
    finding.return_address = call->return_address;
  }
  Sink& sink = TheSink();
  std::lock_guard lock(sink.mutex);
  if (sink.certifying) finding.severity = info.certifying;
  const size_t hash = Hash(finding);
  if (Finding* earlier = FindSame(sink, finding, hash)) {
    ++earlier->count;
  } else if (sink.findings.size() < kMostFindings) {
    sink.by_hash.emplace(hash, sink.findings.size());
    sink.findings.push_back(std::move(finding));
  }
}

void SetCertifying(bool certifying) {
  std::lock_guard lock(TheSink().mutex);
  TheSink().certifying = certifying;
}

std::vector<Finding> Findings() {
  std::lock_guard lock(TheSink().mutex);
  return TheSink().findings;
}

void ClearFindings() {
  std::lock_guard lock(TheSink().mutex);
  TheSink().findings.clear();
  TheSink().by_hash.clear();
}

}  // namespace culprit::fakedriver::audit
