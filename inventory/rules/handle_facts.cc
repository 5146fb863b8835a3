// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/handle_facts.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace culprit::inventory {
namespace {

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A function of this file that passes one of its parameters to a creating entry creates through it.
struct Creator {
  std::string function;
  int argument;
  std::string object;
};

std::vector<Creator> FindCreators(const FileView& view) {
  std::vector<Creator> creators;
  for (const FlowGraph& graph : view.graphs) {
    for (const Event& event : graph.events) {
      if (event.kind != EventKind::kCall || !event.entry || event.entry->role != Role::kCreates)
        continue;
      const int position = event.entry->object_parameter;
      if (position < 0 || position >= static_cast<int>(event.arguments.size())) continue;
      const auto parameter =
          std::find(graph.parameters.begin(), graph.parameters.end(), event.arguments[position]);
      if (parameter == graph.parameters.end()) continue;
      creators.push_back({std::string(LastComponent(graph.function)),
                          static_cast<int>(parameter - graph.parameters.begin()),
                          std::string(event.entry->object)});
    }
  }
  return creators;
}

// What a call creates and where the handle goes: an index into its arguments.
struct Creation {
  std::string object;
  int argument;
};

std::optional<Creation> CreationBy(const Event& call, const std::vector<Creator>& creators) {
  if (call.entry) {
    if (call.entry->role != Role::kCreates || call.entry->object_parameter < 0) return std::nullopt;
    return Creation{std::string(call.entry->object), call.entry->object_parameter};
  }
  for (const Creator& creator : creators) {
    if (creator.function == call.path) return Creation{creator.object, creator.argument};
  }
  return std::nullopt;
}

HandleSite SiteOf(const FileView& view, const FlowGraph& graph, const Event& call,
                  std::string object, const std::string& path, const Lifecycle& lifecycle) {
  HandleSite site;
  site.object = std::move(object);
  site.field = std::string(LastComponent(path));
  site.held_outside =
      !site.field.empty() && !Contains(graph.locals, path) && !Contains(graph.parameters, path);
  site.held_locally = Contains(graph.locals, path);
  site.on_close = lifecycle.ReachedFromClose(graph.function);
  site.function = graph.function;
  site.where = LocationOf(view.file, call.begin, call.end);
  return site;
}

void CollectSites(const FileView& view, const Lifecycle& lifecycle, FileFacts* facts) {
  const std::vector<Creator> creators = FindCreators(view);
  for (const FlowGraph& graph : view.graphs) {
    for (const Event& event : graph.events) {
      if (event.kind != EventKind::kCall) continue;
      if (const auto creation = CreationBy(event, creators);
          creation && creation->argument < static_cast<int>(event.arguments.size())) {
        facts->creations.push_back(SiteOf(view, graph, event, creation->object,
                                          event.arguments[creation->argument], lifecycle));
      } else if (event.entry && event.entry->role == Role::kDestroys) {
        const std::string path = event.arguments.empty() ? "" : event.arguments[0];
        facts->releases.push_back(
            SiteOf(view, graph, event, std::string(event.entry->object), path, lifecycle));
      }
    }
  }
}

// The last component of each argument of the call whose parenthesis is at `open`: {"ctx", "module"}
// of (m->ctx, &m->module[0]).
std::vector<std::string_view> ArgumentFields(const std::vector<Token>& tokens, size_t open) {
  std::vector<std::string_view> fields(1);
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.Is("(") || token.Is("[") || token.Is("{")) ++depth;
    if ((token.Is(")") || token.Is("]") || token.Is("}")) && --depth == 0) break;
    if (token.Is(";")) break;
    if (depth == 1 && token.Is(",")) fields.emplace_back();
    if (depth == 1 && token.IsName()) fields.back() = token.text;
  }
  return fields;
}

// Releases by helpers and by functions named like one, in all functions: few of them reach the
// driver in this file.
void CollectReleasesByName(const FileView& view, const Lifecycle& lifecycle, FileFacts* facts) {
  std::set<std::string_view> helpers;
  for (const Helper& helper : view.contract.helpers) helpers.insert(LastComponent(helper.name));
  const auto& tokens = view.lexed.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].IsName() || !tokens[i + 1].Is("(") || FindEntry(tokens[i].text)) continue;
    if (!helpers.contains(tokens[i].text) && !IsNamedLikeRelease(tokens[i].text)) continue;
    const FunctionSpan* function = view.outline.At(tokens[i].begin);
    if (!function) continue;
    for (const std::string_view field : ArgumentFields(tokens, i + 1)) {
      if (field.empty()) continue;
      HandleSite site;
      site.field = std::string(field);
      site.on_close = lifecycle.ReachedFromClose(function->name);
      site.function = function->name;
      facts->releases.push_back(std::move(site));
    }
  }
}

// The member's name when the tokens from `type` on declare one: `Module m;`, `std::array<Module, 4>
// m;`, `Module m[2] = ...`.
const Token* MemberNamed(const std::vector<Token>& tokens, size_t type) {
  size_t i = type + 1;
  while (i < tokens.size() && (tokens[i].Is(">") || tokens[i].Is(",") ||
                               tokens[i].kind == TokenKind::kNumber || tokens[i].Is(">>")))
    ++i;
  if (i + 1 >= tokens.size() || !tokens[i].IsName()) return nullptr;
  const Token& next = tokens[i + 1];
  return next.Is(";") || next.Is("{") || next.Is("=") || next.Is("[") ? &tokens[i] : nullptr;
}

// The member that a range-for variable stands for: "modules_" for m of `for (Module& m :
// modules_)`; the name itself otherwise.
std::string_view LoopedOver(const std::vector<Token>& tokens, const FunctionSpan& function,
                            size_t name) {
  for (size_t i = name; i > function.first_token + 2; --i) {
    if (tokens[i - 1].text == tokens[name].text && tokens[i].Is(":") && tokens[i + 1].IsName())
      return tokens[i + 1].text;
  }
  return tokens[name].text;
}

// `field.Close(` or `field->Close(` in functions that closing reaches.
void CollectMemberCloses(const FileView& view, const Lifecycle& lifecycle, FileFacts* facts) {
  std::set<std::string_view> methods;
  for (const OwnerType& type : view.contract.owner_types) methods.insert(type.close);
  const auto& tokens = view.lexed.tokens;
  for (size_t i = 0; i + 3 < tokens.size() && !methods.empty(); ++i) {
    const bool calls = tokens[i].IsName() && (tokens[i + 1].Is(".") || tokens[i + 1].Is("->")) &&
                       tokens[i + 3].Is("(");
    if (!calls || !methods.contains(tokens[i + 2].text)) continue;
    const FunctionSpan* function = view.outline.At(tokens[i].begin);
    if (!function || !lifecycle.ReachedFromClose(function->name)) continue;
    facts->member_closes.push_back(
        {std::string(LoopedOver(tokens, *function, i)), std::string(tokens[i + 2].text)});
  }
}

// Whether the type at `at` is an argument of a template that shares or only points:
// std::shared_ptr<const Stream>.
bool IsShared(const std::vector<Token>& tokens, size_t at) {
  while (at > 0 && (tokens[at - 1].text == "const" || tokens[at - 1].Is("::") ||
                    tokens[at - 1].text == "culprit"))
    --at;
  if (at < 2 || !tokens[at - 1].Is("<")) return false;
  for (const char* name :
       {"shared_ptr", "weak_ptr", "reference_wrapper", "span", "function", "atomic"}) {
    if (tokens[at - 2].text == name) return true;
  }
  return false;
}

void CollectOwnerFields(const FileView& view, FileFacts* facts) {
  const auto& tokens = view.lexed.tokens;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].IsName() || tokens[i].in_directive) continue;
    for (const OwnerType& type : view.contract.owner_types) {
      if (LastComponent(type.name) != tokens[i].text || view.outline.At(tokens[i].begin)) continue;
      const bool declares_type =
          i > 0 && (tokens[i - 1].text == "class" || tokens[i - 1].text == "using" ||
                    tokens[i - 1].text == "enum");
      const Token* member = declares_type || IsShared(tokens, i) ? nullptr : MemberNamed(tokens, i);
      if (!member) continue;
      facts->owner_fields.push_back({type.name, std::string(member->text),
                                     LocationOf(view.file, member->begin, member->end)});
    }
  }
}

}  // namespace

bool IsNamedLikeRelease(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word :
       {"destroy", "free", "release", "unload", "close", "unref", "uninit", "delete", "drop"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

void CollectHandleFacts(const FileView& view, const Lifecycle& lifecycle, FileFacts* facts) {
  facts->closes = lifecycle.has_close();
  CollectSites(view, lifecycle, facts);
  CollectReleasesByName(view, lifecycle, facts);
  CollectOwnerFields(view, facts);
  CollectMemberCloses(view, lifecycle, facts);
}

}  // namespace culprit::inventory
