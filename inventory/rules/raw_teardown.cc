// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/raw_teardown.h"

#include <fmt/format.h>

#include <algorithm>

#include "inventory/scan/glob.h"

namespace culprit::inventory {
namespace {

// A loader fills tables: it may look names up, store entries and hand them on, but not call them.
bool IsLoading(MentionKind kind) {
  return kind == MentionKind::kLookup || kind == MentionKind::kStored ||
         kind == MentionKind::kArgument || kind == MentionKind::kPasted ||
         kind == MentionKind::kMacroUse;
}

bool PermittedToLoader(const Contract& contract, std::string_view file, const Mention& mention) {
  if (!IsLoading(mention.kind)) return false;
  for (const Loader& loader : contract.loaders) {
    const bool right_file = loader.file.empty() || GlobMatches(loader.file, file);
    const bool right_function = loader.name.empty() || NamesFunction(loader.name, mention.function);
    if (right_file && right_function) return true;
  }
  return false;
}

// LOAD(table, cuMemFree, cuMemFree_v2) hands one entry over, under two names.
bool SaysItAgain(const FileView& view, const Mention& mention, const Mention& previous) {
  if (mention.kind != MentionKind::kArgument || previous.kind != MentionKind::kArgument ||
      mention.through != previous.through || mention.entry->lookup != previous.entry->lookup)
    return false;
  const auto& tokens = view.lexed.tokens;
  return std::none_of(tokens.begin() + previous.token, tokens.begin() + mention.token,
                      [](const Token& token) { return token.Is(";"); });
}

std::string Message(const Mention& mention) {
  std::string how(Describe(mention.kind));
  if (!mention.through.empty()) how += fmt::format(" within {}(...)", mention.through);
  if (mention.kind == MentionKind::kStored && !mention.alias.empty())
    how += fmt::format(" in '{}'", mention.alias);
  const std::string where = mention.in_macro_body ? fmt::format("the macro {}", mention.function)
                            : mention.function.empty() ? "file scope"
                                                       : mention.function;
  const std::string name =
      mention.spelled == mention.entry->lookup || mention.spelled == mention.entry->symbol
          ? mention.spelled
          : fmt::format("{} ({})", mention.entry->lookup, mention.spelled);
  return fmt::format("raw teardown: {} is {} in {}, which is no helper of the contract", name, how,
                     where);
}

}  // namespace

void CheckRawTeardown(const FileView& view, FindingSink* sink) {
  const Mention* previous = nullptr;
  for (const Mention& mention : view.mentions) {
    const bool again = previous && SaysItAgain(view, mention, *previous);
    previous = &mention;
    if (again) continue;
    if (mention.entry->role != Role::kDestroys || mention.kind == MentionKind::kDefinition)
      continue;
    const std::string_view file = view.file.path();
    const DriverEntry& entry = *mention.entry;
    if (PermittingHelper(view.contract, file, mention.function, entry.lookup, entry.symbol))
      continue;
    // A macro that is itself a helper may be used anywhere.
    if (mention.kind == MentionKind::kMacroUse &&
        PermittingHelper(view.contract, "", mention.spelled, entry.lookup, entry.symbol)) {
      continue;
    }
    if (PermittedToLoader(view.contract, file, mention)) continue;
    sink->Add(RuleId::kRawTeardown, mention.begin, mention.end, mention.function, Message(mention));
  }
}

void CheckUnversionedNames(const FileView& view, FindingSink* sink) {
  for (const Mention& mention : view.mentions) {
    const bool by_plain_symbol = mention.kind == MentionKind::kLinked ||
                                 (mention.kind == MentionKind::kLookup &&
                                  mention.through.find("GetProcAddress") == std::string::npos);
    const bool windows = mention.through == "GetProcAddress";
    if (!by_plain_symbol && !windows) continue;
    const std::string_view name = mention.named.empty() ? mention.spelled : mention.named;
    const std::string_view versioned = VersionedSymbol(name, view.contract.cuda_version);
    if (versioned.empty()) continue;
    Finding* finding =
        sink->Add(RuleId::kUnversionedName, mention.begin, mention.end, mention.function,
                  fmt::format("\"{}\" is looked up by its plain name, which is the oldest variant; "
                              "the header of CUDA "
                              "{}.{} means {}",
                              name, view.contract.cuda_version / 1000,
                              view.contract.cuda_version % 1000 / 10, versioned));
    const bool quoted = view.file.text()[mention.begin] == '"' && mention.spelled == name;
    if (finding && quoted) {
      finding->fix = Fix{mention.begin, mention.end, fmt::format("\"{}\"", versioned),
                         "name the versioned symbol"};
    }
  }
}

}  // namespace culprit::inventory
