// SPDX-License-Identifier: Apache-2.0
#include "inventory/draft.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "inventory/rules/handle_facts.h"
#include "inventory/rules/owners.h"
#include "inventory/scan/glob.h"

namespace culprit::inventory {
namespace {

// The driver entry that a raw-teardown finding underlines.
std::string EntryOf(const Finding& finding) {
  const std::string& line = finding.where.line_text;
  for (size_t at = line.find("cu"); at != std::string::npos; at = line.find("cu", at + 1)) {
    size_t end = at;
    while (end < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
      ++end;
    const DriverEntry* entry = FindEntry(std::string_view(line).substr(at, end - at));
    if (entry && entry->role == Role::kDestroys) return std::string(entry->lookup);
  }
  return {};
}

// How functions that open or close an owner are named, as globs that at least one of `functions`
// matches: close*, *_close, *Close.
std::vector<std::string> PatternsOf(const std::vector<std::string>& words,
                                    const std::set<std::string>& functions) {
  std::vector<std::string> patterns;
  for (const std::string& word : words) {
    std::string capital = word;
    capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    for (const std::string& pattern : {word + "*", "*_" + word, capital + "*", "*" + capital}) {
      if (std::any_of(functions.begin(), functions.end(),
                      [&](const std::string& name) { return GlobMatches(pattern, name); }))
        patterns.push_back(pattern);
    }
  }
  return patterns;
}

void DraftLifecycle(const Tree& tree, const Report& report, ContractDraft* draft) {
  std::set<std::string> creating, functions;
  for (const FileFacts& file : report.files) {
    for (const HandleSite& site : file.creations) creating.emplace(LastComponent(site.function));
  }
  for (const SourceFile& file : tree.sources) {
    for (const FunctionSpan& span : OutlineOf(Lex(file, {})).functions)
      functions.emplace(LastComponent(span.name));
  }
  draft->inits = PatternsOf({"init", "open", "setup"}, creating);
  draft->closes = PatternsOf({"close", "uninit", "deinit", "shutdown", "teardown"}, functions);
  if (draft->inits.empty()) draft->inits = {"init*"};
  if (draft->closes.empty()) draft->closes = {"close*"};
}

}  // namespace

ContractDraft DraftFor(const Tree& tree) {
  const Contract nothing;
  const Report report = CheckTree(tree, nothing);
  std::map<std::pair<std::string, std::string>, std::set<std::string>> teardowns;
  std::set<std::tuple<std::string, std::string, bool>> unbalanced;
  for (const Finding& finding : report.findings) {
    if (finding.rule == RuleId::kRawTeardown) {
      auto& entries = teardowns[{finding.where.path, finding.function}];
      if (const std::string entry = EntryOf(finding); !entry.empty()) entries.insert(entry);
    } else if (finding.rule == RuleId::kContextImbalance && !finding.function.empty()) {
      const bool pushed = !finding.notes.empty() && finding.notes[0].message.starts_with("pushed");
      unbalanced.insert({finding.where.path, finding.function, pushed});
    }
  }
  ContractDraft draft;
  for (const auto& [place, entries] : teardowns) {
    draft.teardowns.push_back({place.second,
                               place.first,
                               {entries.begin(), entries.end()},
                               IsNamedLikeRelease(place.second)});
  }
  for (const auto& [file, function, pushes] : unbalanced) {
    draft.unbalanced.push_back({function, file, pushes});
  }
  for (const FoundOwner& owner : FindOwners(nothing, report.files)) {
    if (draft.owners.empty() || draft.owners.back().file != owner.file)
      draft.owners.push_back({owner.file, {}});
    draft.owners.back().fields.push_back(owner.field);
  }
  DraftLifecycle(tree, report, &draft);
  return draft;
}

}  // namespace culprit::inventory
