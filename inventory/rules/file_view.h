// SPDX-License-Identifier: Apache-2.0
// Everything a rule may look at in one file, and where it puts what it found. A rule is a function
// of the view: no state, no other file. What spans files is written down as facts and judged by the
// rules of the project stage.
#ifndef CULPRIT_INVENTORY_RULES_FILE_VIEW_H_
#define CULPRIT_INVENTORY_RULES_FILE_VIEW_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inventory/contract/contract.h"
#include "inventory/report/finding.h"
#include "inventory/scan/call_graph.h"
#include "inventory/scan/lexer.h"
#include "inventory/scan/macros.h"
#include "inventory/scan/mentions.h"
#include "inventory/scan/outline.h"
#include "inventory/scan/source_file.h"
#include "inventory/syntax/flow_graph.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {

// What all files together say, collected before any is checked.
struct Vocabulary {
  MacroTable macros;
  CallGraph calls;
  std::set<std::string> lookup_functions;
  SharedAliases shared_aliases;
};

struct FileView {
  const SourceFile& file;
  const Contract& contract;
  const Vocabulary& vocabulary;
  const MacroScope& macros;
  const Lexed& lexed;
  const Outline& outline;
  const std::vector<Mention>& mentions;
  const std::vector<FlowGraph>& graphs;  // of the functions that could matter; empty when none does
  const std::vector<PathPlan>& plans;    // one for each graph
  const std::vector<Range>& unparsed;

  const PathPlan& PlanOf(const FlowGraph& graph) const { return plans[&graph - graphs.data()]; }
};

class FindingSink {
 public:
  FindingSink(const SourceFile& file, const Contract& contract)
      : file_(file), contract_(contract) {}

  // Null when the contract switches the rule off, and after the thousandth finding of a rule.
  Finding* Add(RuleId rule, uint32_t begin, uint32_t end, std::string_view function,
               std::string message);
  std::vector<Finding> Take() { return std::move(findings_); }

 private:
  const SourceFile& file_;
  const Contract& contract_;
  std::vector<Finding> findings_;
  std::map<RuleId, size_t> counts_;
};

Severity SeverityOf(const Contract& contract, RuleId rule);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_FILE_VIEW_H_
