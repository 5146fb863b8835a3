// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "inventory/check.h"
#include "inventory/scan/lookup.h"
#include "inventory/scan/shared_aliases.h"

namespace culprit::inventory {
namespace {

// Whether the file names a destroying entry without calling it, so that it may store it.
bool MayStoreDestroyers(const Lexed& lexed) {
  const std::vector<Token>& tokens = lexed.tokens;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool spelled = tokens[i].IsName() || tokens[i].kind == TokenKind::kString;
    if (!spelled || !tokens[i].text.starts_with("cu")) continue;
    if (tokens[i].IsName() && i + 1 < tokens.size() && tokens[i + 1].Is("(")) continue;
    const DriverEntry* entry = FindEntry(tokens[i].text);
    if (entry && entry->role == Role::kDestroys) return true;
  }
  return false;
}

bool HasAnyOf(std::string_view text, const SharedAliasCollector& collector) {
  const auto& names = collector.candidates();
  return std::any_of(names.begin(), names.end(), [&](const auto& candidate) {
    return text.find(candidate.first) != std::string_view::npos;
  });
}

// Reads the files again, but only those that can say anything about an alias: few, in most trees.
SharedAliases CollectSharedAliases(const Tree& tree, const Contract& contract,
                                   const Vocabulary& vocabulary,
                                   const std::vector<const SourceFile*>& storing) {
  SharedAliasCollector collector;
  for (const SourceFile* file : storing) {
    const Lexed lexed = Lex(*file, contract.conditions);
    collector.AddStored(FindMentions(lexed, OutlineOf(lexed),
                                     {vocabulary.macros.In(file->path()),
                                      vocabulary.lookup_functions, vocabulary.shared_aliases}));
  }
  for (const SourceFile& file : tree.sources) {
    if (!HasAnyOf(file.text(), collector)) continue;
    const Lexed lexed = Lex(file, contract.conditions);
    collector.CountDeclarations(lexed, OutlineOf(lexed));
  }
  return collector.Take();
}

}  // namespace

Vocabulary CollectVocabulary(const Tree& tree, const Contract& contract) {
  Vocabulary vocabulary;
  std::vector<const SourceFile*> storing;
  for (const SourceFile& file : tree.sources) {
    const Lexed lexed = Lex(file, contract.conditions);
    const Outline outline = OutlineOf(lexed);
    vocabulary.macros.AddAll(file.path(), lexed);
    vocabulary.calls.Add(file.path(), lexed, outline);
    vocabulary.lookup_functions.merge(LookupFunctions(lexed, outline));
    if (MayStoreDestroyers(lexed)) storing.push_back(&file);
  }
  vocabulary.macros.Close();
  vocabulary.lookup_functions.merge(LookupMacros(vocabulary.macros));
  vocabulary.calls.Close();
  vocabulary.shared_aliases = CollectSharedAliases(tree, contract, vocabulary, storing);
  return vocabulary;
}

}  // namespace culprit::inventory
