// SPDX-License-Identifier: Apache-2.0
#include "inventory/check.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "input/input_error.h"
#include "inventory/cache/result_cache.h"
#include "inventory/rules/cleared_unchecked.h"
#include "inventory/rules/context_balance.h"
#include "inventory/rules/first_error.h"
#include "inventory/rules/handle_facts.h"
#include "inventory/rules/lifecycle.h"
#include "inventory/rules/link_authority.h"
#include "inventory/rules/local_handles.h"
#include "inventory/rules/names.h"
#include "inventory/rules/ordering.h"
#include "inventory/rules/owners.h"
#include "inventory/rules/raw_teardown.h"
#include "inventory/rules/results.h"
#include "inventory/rules/teardown_sites.h"
#include "inventory/scan/file_walk.h"
#include "inventory/scan/glob.h"
#include "inventory/scan/source_text.h"
#include "inventory/suppress/apply.h"
#include "inventory/suppress/inline.h"

namespace culprit::inventory {
namespace {

std::vector<const FunctionSpan*> AllFunctions(const Outline& outline) {
  std::vector<const FunctionSpan*> all;
  for (const FunctionSpan& span : outline.functions) all.push_back(&span);
  return all;
}

// Functions that rules about control flow could say something about: those that reach the driver or
// a helper, and those that an ordering contract names.
std::vector<const FunctionSpan*> WantedFunctions(const SourceFile& file, const Contract& contract,
                                                 const Vocabulary& vocabulary, const Lexed& lexed,
                                                 const Outline& outline) {
  std::set<std::string_view> names;
  for (const Helper& helper : contract.helpers) names.insert(LastComponent(helper.name));
  for (const auto* helpers : {&contract.push_helpers, &contract.pop_helpers}) {
    for (const std::string& helper : *helpers) names.insert(LastComponent(helper));
  }
  std::vector<const FunctionSpan*> wanted;
  for (const FunctionSpan& span : outline.functions) {
    const std::string_view name = LastComponent(span.name);
    const bool ordered =
        std::any_of(contract.orders.begin(), contract.orders.end(), [&](const Order& order) {
          return NamesFunction(order.function, span.name) || GlobMatches(order.function, name);
        });
    const auto uses_helper = [&] {
      return std::any_of(
          lexed.tokens.begin() + span.first_token, lexed.tokens.begin() + span.last_token,
          [&](const Token& token) { return token.IsName() && names.contains(token.text); });
    };
    if (ordered || vocabulary.calls.ReachesDriver(file.path(), name) ||
        (!names.empty() && uses_helper()))
      wanted.push_back(&span);
  }
  return wanted;
}

// What to parse: the functions, and whatever else mentions the driver, so that it is known whether
// a finding lies in text that does not parse.
std::vector<Range> PlacesToParse(const std::vector<const FunctionSpan*>& functions,
                                 const std::vector<Mention>& mentions) {
  std::vector<Range> places;
  for (const FunctionSpan* span : functions) places.push_back({span->begin, span->body_end});
  for (const Mention& mention : mentions) {
    if (!mention.in_macro_body) places.push_back({mention.begin, mention.end});
  }
  std::sort(places.begin(), places.end(),
            [](const Range& a, const Range& b) { return a.end < b.end; });
  return places;
}

// Where only the token scan has looked: error nodes, and functions that the tree does not know as
// such.
std::vector<Range> UnparsedRanges(const SyntaxTree& tree,
                                  const std::vector<const FunctionSpan*>& wanted,
                                  const std::vector<FlowGraph>& graphs) {
  std::vector<Range> covered;
  for (const FlowGraph& graph : graphs) covered.push_back({graph.begin, graph.end});
  std::sort(covered.begin(), covered.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < covered.size(); ++i)  // a lambda ends before its function does
    covered[i].end = std::max(covered[i].end, covered[i - 1].end);
  std::vector<Range> unparsed = tree.errors();
  for (const FunctionSpan* span : wanted) {
    const auto after =
        std::partition_point(covered.begin(), covered.end(),
                             [&](const Range& range) { return range.begin < span->body_end; });
    const bool has_graph = after != covered.begin() && std::prev(after)->end > span->body_begin;
    if (!has_graph) unparsed.push_back({span->begin, span->body_end});
  }
  return unparsed;
}

std::vector<PathPlan> PlansOf(const std::vector<FlowGraph>& graphs, const Contract& contract) {
  std::vector<PathPlan> plans;
  plans.reserve(graphs.size());
  for (const FlowGraph& graph : graphs) plans.emplace_back(graph, contract.true_on_success);
  return plans;
}

void MarkUnparsed(const FileView& view, FindingSink* sink, std::vector<Finding>* findings) {
  for (const Range& range : view.unparsed) {
    const uint32_t first = view.file.PositionOf(range.begin).line,
                   last = view.file.PositionOf(range.end).line;
    bool any = false;
    for (Finding& finding : *findings) {
      const bool inside = finding.where.begin.line >= first && finding.where.begin.line <= last;
      finding.in_unparsed_region |= inside;
      any |= inside;
    }
    if (any) {
      sink->Add(RuleId::kUnparsedRegion, range.begin, range.end, "",
                "this region did not parse; the token scan covers it, the rules about control flow "
                "do not");
    }
  }
}

FileResult CheckOrRecall(const SourceFile& file, const Contract& contract,
                         const Vocabulary& vocabulary, const ResultCache& cache, Extent extent,
                         size_t* recalled) {
  if (!cache.enabled()) return CheckFile(file, contract, vocabulary, extent);
  const uint64_t key = cache.KeyOf(file, contract, vocabulary, Lex(file, contract.conditions));
  if (auto kept = cache.Find(key)) {
    ++*recalled;
    return *std::move(kept);
  }
  FileResult result = CheckFile(file, contract, vocabulary, extent);
  cache.Store(key, result);
  return result;
}

// A compiler may read it; the token scan would find nothing in it, and a clean result would be a
// lie.
void RefuseUtf16(const std::string& path, std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError(path + ": UTF-16 is not read; save it as UTF-8, or name it in 'exclude'");
}

void Append(std::vector<Finding> more, std::vector<Finding>* findings) {
  findings->insert(findings->end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
}

}  // namespace

Tree ReadTree(const std::filesystem::path& root, const Contract& contract) {
  Tree tree;
  for (const std::string& path : WalkFiles(root, {}, contract.exclude)) {
    const bool wanted =
        contract.roots.empty() ||
        std::any_of(contract.roots.begin(), contract.roots.end(),
                    [&](const std::string& glob) { return GlobMatches(glob, path); });
    if (wanted && LanguageOf(path)) {
      std::string text = ReadFile(root / path);
      RefuseUtf16(path, text);
      if (std::string reason = WhyNoSource(text); !reason.empty()) {
        tree.no_sources.push_back({path, std::move(reason)});
        continue;
      }
      const Language language = *LanguageOf(path, text);
      tree.sources.emplace_back(path, std::move(text), language);
    } else if (IsBuildFile(path)) {
      tree.build_files.emplace_back(path, ReadFile(root / path), Language::kC);
    }
  }
  return tree;
}

FileResult CheckFile(const SourceFile& file, const Contract& contract, const Vocabulary& vocabulary,
                     Extent extent) {
  const Lexed lexed = Lex(file, contract.conditions);
  const Outline outline = OutlineOf(lexed);
  const MacroScope macros = vocabulary.macros.In(file.path());
  const std::vector<Mention> mentions = FindMentions(
      lexed, outline, {macros, vocabulary.lookup_functions, vocabulary.shared_aliases});
  const bool everything = extent == Extent::kEverything;
  const auto wanted = everything ? AllFunctions(outline)
                                 : WantedFunctions(file, contract, vocabulary, lexed, outline);
  std::vector<FlowGraph> graphs;
  std::vector<Range> unparsed;
  if (!wanted.empty()) {
    const SyntaxTree tree = everything ? SyntaxTree(file, lexed)
                                       : SyntaxTree(file, lexed, PlacesToParse(wanted, mentions));
    graphs = BuildFlowGraphs({tree, outline, macros}, wanted);
    unparsed = UnparsedRanges(tree, wanted, graphs);
  }
  const std::vector<PathPlan> plans = PlansOf(graphs, contract);
  const FileView view{file,    contract, vocabulary, macros, lexed,
                      outline, mentions, graphs,     plans,  unparsed};
  const Lifecycle lifecycle(contract, lexed, outline);
  FileResult result;
  result.facts.path = file.path();
  result.facts.lines = file.line_count();
  result.facts.suppressions = FindSuppressions(file, lexed);
  for (const Range& range : unparsed) result.facts.unparsed_bytes += range.end - range.begin;
  FindingSink sink(file, contract);
  CheckRawTeardown(view, &sink);
  CheckUnversionedNames(view, &sink);
  CheckForbiddenNames(view, &sink);
  CheckCallbacks(view, &sink);
  CheckContextBalance(view, &sink);
  CheckIgnoredResults(view, &sink);
  CheckCombinedResults(view, &sink);
  CheckFirstError(view, &sink);
  CheckClearedHandles(view, &sink);
  CheckLocalHandles(view, &sink);
  CheckInitUnwind(view, &sink);
  CheckOrder(view, &sink, &result.facts);
  CollectHandleFacts(view, lifecycle, &result.facts);
  CollectTeardownSites(view, &result.facts);
  result.findings = sink.Take();
  MarkUnparsed(view, &sink, &result.findings);
  Append(sink.Take(), &result.findings);
  return result;
}

Report CheckTree(const Tree& tree, const Contract& contract, const CheckOptions& options) {
  Report report;
  report.not_checked = tree.no_sources;
  const Vocabulary vocabulary = CollectVocabulary(tree, contract);
  const ResultCache cache(options.cache_folder);
  for (const SourceFile& file : tree.sources) {
    FileResult result =
        CheckOrRecall(file, contract, vocabulary, cache, options.extent, &report.from_cache);
    Append(std::move(result.findings), &report.findings);
    report.lines += result.facts.lines;
    report.files.push_back(std::move(result.facts));
  }
  for (const SourceFile& file : tree.build_files) {
    FindingSink sink(file, contract);
    CheckLinkAuthority(file, contract, &sink);
    Append(sink.Take(), &report.findings);
  }
  CheckOwners(contract, report.files, &report.findings);
  CheckCreateBalance(contract, report.files, &report.findings);
  CheckOrdersMatched(contract, report.files, &report.findings);
  SortAndFingerprint(&report.findings);
  ApplySuppressions(contract, report.files, options.baseline, options.today, &report.findings);
  return report;
}

}  // namespace culprit::inventory
