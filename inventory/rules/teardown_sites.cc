// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/teardown_sites.h"

namespace culprit::inventory {
namespace {

bool Calls(const FileView& view, const Mention& mention) {
  if (mention.in_macro_body || mention.function.empty()) return false;
  switch (mention.kind) {
    case MentionKind::kCall:
    case MentionKind::kTableCall:
    case MentionKind::kAliasCall:
    case MentionKind::kMacroUse:
    case MentionKind::kPasted:
      return true;
    case MentionKind::kArgument:  // RUN(cuModuleUnload, m), but not run_later(cuModuleUnload, m)
      return view.macros.Find(mention.through) != nullptr;
    default:
      return false;
  }
}

bool EndsStatement(const Token& token) { return token.Is(";") || token.Is("{") || token.Is("}"); }

// Debug information may give a call any line of its statement.
void FindStatement(const FileView& view, const Mention& mention, TeardownSite* site) {
  constexpr size_t kReach = 500;
  const auto& tokens = view.lexed.tokens;
  size_t first = mention.token, last = mention.token;
  while (first > 0 && mention.token - first < kReach && !EndsStatement(tokens[first - 1])) --first;
  while (last + 1 < tokens.size() && last - mention.token < kReach &&
         !EndsStatement(tokens[last + 1]))
    ++last;
  site->first_line = view.file.LineOf(tokens[first].begin);
  site->last_line = view.file.LineOf(tokens[last].begin);
}

}  // namespace

void CollectTeardownSites(const FileView& view, FileFacts* facts) {
  for (const Mention& mention : view.mentions) {
    if (mention.entry->role != Role::kDestroys || !Calls(view, mention)) continue;
    TeardownSite site{std::string(mention.entry->lookup), mention.function,
                      LocationOf(view.file, mention.begin, mention.end)};
    FindStatement(view, mention, &site);
    facts->teardowns.push_back(std::move(site));
  }
}

}  // namespace culprit::inventory
