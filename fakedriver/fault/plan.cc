// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/plan.h"

#include <yaml-cpp/depthguard.h>

#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "fakedriver/fault/plan_value.h"
#include "input/yaml_document.h"

namespace culprit::fakedriver::fault {
namespace {

// What the reader of one map has seen, so that keys which exclude each other can be told.
struct Draft {
  Fault fault;
  std::set<std::string, std::less<>> keys;

  bool Has(std::string_view key) const { return keys.contains(key); }
};

using Reader = std::function<void(const YAML::Node&, Draft&)>;
using Readers = std::map<std::string, Reader, std::less<>>;

// Each key of `map` is read by its reader; unknown and repeated keys are errors.
void ReadMap(const YAML::Node& map, const Readers& readers, const char* what, Draft& draft) {
  if (!map.IsMap()) {
    throw PlanError(map.Mark(), "plan.shape", std::string("expected ") + what + ", a map");
  }
  for (const auto& item : map) {
    const std::string key = TextOf(item.first);
    auto reader = readers.find(key);
    if (reader == readers.end()) {
      std::string known;
      for (const auto& [name, unused] : readers) known += (known.empty() ? "" : ", ") + name;
      throw PlanError(item.first.Mark(), "plan.unknown_key",
                      "'" + key + "' is no key of " + what + "; known are " + known);
    }
    if (!draft.keys.insert(key).second) {
      throw PlanError(item.first.Mark(), "plan.repeated_key", "'" + key + "' is given twice");
    }
    reader->second(item.second, draft);
  }
}

// At most one of the keys; returns whether there is one.
bool AtMostOne(const YAML::Node& map, const Draft& draft, std::initializer_list<const char*> keys) {
  const char* first = nullptr;
  for (const char* key : keys) {
    if (!draft.Has(key)) continue;
    if (first != nullptr) {
      throw PlanError(map.Mark(), "plan.conflict",
                      std::string("'") + first + "' and '" + key + "' exclude each other");
    }
    first = key;
  }
  return first != nullptr;
}

void ReadEntry(const YAML::Node& node, Site& site) {
  site.entries = EntriesNamed(TextOf(node));
  if (site.entries.none()) {
    throw PlanError(node.Mark(), "plan.unknown_entry", "the driver has no entry " + TextOf(node));
  }
}

void ReadFamily(const YAML::Node& node, Site& site) {
  site.entries = EntriesOfFamily(TextOf(node));
  if (site.entries.none()) {
    throw PlanError(node.Mark(), "plan.unknown_family", "there is no family " + TextOf(node));
  }
}

// Of a key that is left out where it does not hold.
void DemandTrue(const YAML::Node& node, const char* key) {
  if (FlagOf(node)) return;
  throw PlanError(node.Mark(), "plan.value",
                  std::string("'") + key + "' can only be true; leave it out otherwise");
}

void ReadAny(const YAML::Node& node, Site& site) {
  DemandTrue(node, "any");
  site.entries = AllEntries();
}

void ReadResult(const YAML::Node& node, Timing timing, Draft& draft) {
  draft.fault.consequence.result = ResultOf(node);
  draft.fault.consequence.timing = timing;
}

// The keys that say where, for a fault and for the call at which a late error surfaces.
Readers SiteReaders(std::function<Site&(Draft&)> site) {
  return {
      {"entry", [site](auto& node, Draft& draft) { ReadEntry(node, site(draft)); }},
      {"family", [site](auto& node, Draft& draft) { ReadFamily(node, site(draft)); }},
      {"any", [site](auto& node, Draft& draft) { ReadAny(node, site(draft)); }},
      {"thread", [site](auto& node, Draft& draft) { site(draft).thread = ThreadOf(node); }},
      {"below", [site](auto& node, Draft& draft) { site(draft).below = NotEmptyTextOf(node); }},
  };
}

void ReadSurface(const YAML::Node& node, Draft& draft) {
  static const Readers readers = [] {
    Readers made = SiteReaders([](Draft& d) -> Site& { return d.fault.consequence.surface.site; });
    made["nth"] = [](auto& n, Draft& d) { d.fault.consequence.surface.nth = PositiveOf(n); };
    return made;
  }();
  Draft surface;
  ReadMap(node, readers, "surfaces_at", surface);
  if (!AtMostOne(node, surface, {"entry", "family", "any"})) {
    throw PlanError(node.Mark(), "plan.where", "surfaces_at needs one of entry, family, any");
  }
  draft.fault.consequence.surface = surface.fault.consequence.surface;
}

Readers MakeFaultReaders() {
  Readers readers = SiteReaders([](Draft& draft) -> Site& { return draft.fault.site; });
  readers.merge(Readers{
      {"name", [](auto& n, Draft& d) { d.fault.name = NotEmptyTextOf(n); }},
      {"optional", [](auto& n, Draft& d) { d.fault.optional = FlagOf(n); }},
      // when
      {"nth", [](auto& n, Draft& d) { d.fault.trigger.nth = PositiveOf(n); }},
      {"every", [](auto& n, Draft& d) { d.fault.trigger.every = PositiveOf(n); }},
      {"skip", [](auto& n, Draft& d) { d.fault.trigger.after = CountOf(n); }},
      {"probability", [](auto& n, Draft& d) { d.fault.trigger.probability = ProbabilityOf(n); }},
      {"active", [](auto& n, Draft& d) { d.fault.trigger.active = ProbabilityOf(n); }},
      {"seed", [](auto& n, Draft& d) { d.fault.trigger.seed = CountOf(n); }},
      // how long
      {"once", [](auto& n, Draft& d) { DemandTrue(n, "once"), d.fault.times = 1; }},
      {"times", [](auto& n, Draft& d) { d.fault.times = PositiveOf(n); }},
      {"sticky", [](auto& n, Draft& d) { DemandTrue(n, "sticky"), d.fault.times = kSticky; }},
      // what
      {"before", [](auto& n, Draft& d) { ReadResult(n, Timing::kBefore, d); }},
      {"after", [](auto& n, Draft& d) { ReadResult(n, Timing::kAfter, d); }},
      {"later", [](auto& n, Draft& d) { ReadResult(n, Timing::kLater, d); }},
      {"surfaces_at", ReadSurface},
      {"lose_contexts", [](auto& n, Draft& d) { d.fault.consequence.lose_contexts = FlagOf(n); }},
      {"delay", [](auto& n, Draft& d) { d.fault.consequence.delay = DurationOf(n); }},
      {"block", [](auto& n, Draft& d) { d.fault.consequence.block = FlagOf(n); }},
      {"kill", [](auto& n, Draft& d) { d.fault.consequence.kill = FlagOf(n); }},
      {"memory_budget", [](auto& n, Draft& d) { d.fault.consequence.memory_budget = BytesOf(n); }},
  });
  return readers;
}

// A budget is a state, not an event: it has no site, no trigger and no other consequence.
void CheckBudget(const YAML::Node& node, const Draft& draft) {
  for (const std::string& key : draft.keys) {
    if (key == "memory_budget" || key == "name" || key == "optional" || key == "active" ||
        key == "seed") {
      continue;
    }
    throw PlanError(node.Mark(), "plan.conflict",
                    "'memory_budget' and '" + key + "' exclude each other");
  }
}

Fault ReadFault(const YAML::Node& node, const std::string& source, uint64_t seed) {
  static const Readers readers = MakeFaultReaders();
  Draft draft;
  draft.fault.trigger.seed = seed;
  ReadMap(node, readers, "a fault", draft);
  if (draft.fault.name.empty())
    draft.fault.name = source + ":" + std::to_string(node.Mark().line + 1);
  if (draft.Has("memory_budget")) {
    CheckBudget(node, draft);
    return draft.fault;
  }
  if (!AtMostOne(node, draft, {"entry", "family", "any"})) {
    throw PlanError(node.Mark(), "plan.where",
                    "a fault needs one of entry, family, any, memory_budget");
  }
  AtMostOne(node, draft, {"before", "after", "later"});
  const bool span_given = AtMostOne(node, draft, {"once", "times", "sticky"});
  const bool repeats = draft.Has("every") || draft.Has("skip") || draft.Has("probability");
  if (!span_given && repeats && !draft.Has("nth")) draft.fault.times = kSticky;
  if (draft.Has("surfaces_at") && !draft.Has("later")) {
    throw PlanError(node.Mark(), "plan.conflict", "'surfaces_at' goes with 'later' only");
  }
  const std::string objection = Objection(draft.fault);
  if (!objection.empty()) throw PlanError(node.Mark(), "plan.meaning", objection);
  return draft.fault;
}

std::vector<Fault> ReadFaults(const YAML::Node& list, const std::string& source, uint64_t seed) {
  if (!list.IsSequence()) throw PlanError(list.Mark(), "plan.shape", "expected a list of faults");
  std::vector<Fault> faults;
  for (const YAML::Node& node : list) faults.push_back(ReadFault(node, source, seed));
  return faults;
}

std::vector<Fault> ReadPlan(const YAML::Node& root, const std::string& source) {
  if (root.IsNull()) throw PlanError(YAML::Mark::null_mark(), "plan.shape", "the plan is empty");
  if (root.IsSequence()) return ReadFaults(root, source, 0);
  YAML::Node list;
  bool has_list = false;
  uint64_t seed = 0;
  const Readers readers = {
      {"seed", [&](auto& node, Draft&) { seed = CountOf(node); }},
      {"faults",
       [&](const YAML::Node& node, Draft&) {
         list.reset(node);
         has_list = true;
       }},
  };
  Draft unused;
  ReadMap(root, readers, "a plan", unused);
  if (!has_list) throw PlanError(root.Mark(), "plan.shape", "the plan has no 'faults'");
  return ReadFaults(list, source, seed);
}

std::string Located(const std::string& name, const YAML::Mark& mark, const std::string& what) {
  if (mark.is_null()) return name + ": " + what;
  return name + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1) + ": " +
         what;
}

}  // namespace

std::optional<std::vector<Fault>> ParsePlan(const std::string& text, const std::string& name,
                                            std::string* error) {
  try {
    const YAML::Node root = YAML::Load(text);
    if (const auto second = SecondDocument(text)) {
      throw PlanError(*second, "plan.shape", kOneDocument);
    }
    return ReadPlan(root, name);
  } catch (const PlanError& broken) {
    *error = Located(name, broken.mark(), broken.what());
  } catch (const YAML::DeepRecursion& broken) {
    *error = Located(name, broken.mark, "plan.syntax: this is nested too deeply");
  } catch (const YAML::Exception& broken) {
    *error = Located(name, broken.mark, "plan.syntax: " + broken.msg);
  }
  return std::nullopt;
}

}  // namespace culprit::fakedriver::fault
