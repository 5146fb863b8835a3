// SPDX-License-Identifier: Apache-2.0
#include "inventory/contract/contract_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace culprit::inventory {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string List(const std::vector<std::string>& items) {
  std::vector<std::string> quoted(items.size());
  std::transform(items.begin(), items.end(), quoted.begin(), Quoted);
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

void AppendTeardowns(const ContractDraft& draft, std::string* text) {
  *text +=
      "\n# Functions that may tear down driver objects. Everything else must go through them.\n"
      "# The ones below are named like a release and call the driver; take out what is none.\n";
  for (const ContractDraft::Teardown& teardown : draft.teardowns) {
    if (!teardown.is_helper) continue;
    *text += fmt::format("\n[[helper]]\nname = {}\nfile = {}\nreleases = {}\n",
                         Quoted(teardown.function), Quoted(teardown.file), List(teardown.entries));
  }
  bool first = true;
  for (const ContractDraft::Teardown& teardown : draft.teardowns) {
    if (teardown.is_helper) continue;
    if (first)
      *text += "\n# These tear down, too, and are findings as long as they are no helper:\n";
    first = false;
    *text += fmt::format("#   {} in {}: {}\n",
                         teardown.function.empty() ? "(file scope)" : teardown.function,
                         teardown.file, fmt::join(teardown.entries, ", "));
  }
}

void AppendUnbalanced(const ContractDraft& draft, std::string* text) {
  if (draft.unbalanced.empty()) return;
  *text +=
      "\n# Functions that leave the context stack changed on purpose.\n"
      "[context]\npush = []\npop = []\n"
      "# These leave it changed, and are findings as long as they are not named above:\n";
  for (const ContractDraft::Unbalanced& found : draft.unbalanced) {
    *text += fmt::format("#   {} in {}: {}\n", found.function, found.file,
                         found.pushes ? "push" : "pop");
  }
}

}  // namespace

std::string WriteContract(const ContractDraft& draft) {
  std::string text =
      "# The ownership contract of this tree, drafted from what was found. Read it, mend it, "
      "commit it.\n"
      "version = 1\n\n"
      "# What to check; everything below the folder when empty. `**` crosses folders.\n"
      "roots = []\n"
      "exclude = []\n";
  AppendTeardowns(draft, &text);
  AppendUnbalanced(draft, &text);
  text += fmt::format(
      "\n# Functions that open and close owners (globs). A failed init either \"unwinds\" by "
      "itself or is\n"
      "# \"closed_by_caller\".\n"
      "[lifecycle]\ninit = {}\nclose = {}\nfailed_init = \"unwinds\"\n"
      "\n# The exact set of files that own modules, and the fields that they load them into.\n"
      "[owners]\nobject = \"CUmodule\"\n",
      List(draft.inits), List(draft.closes));
  for (const ContractDraft::Owner& owner : draft.owners) {
    text += fmt::format("\n[[owner]]\nfile = {}\nfields = {}\n", Quoted(owner.file),
                        List(owner.fields));
  }
  return text;
}

}  // namespace culprit::inventory
