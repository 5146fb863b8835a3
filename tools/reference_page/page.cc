// SPDX-License-Identifier: Apache-2.0
#include "tools/reference_page/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "reference_impl/extractor/registry.h"

namespace culprit::tools {
namespace {

using reference::testing::DifferenceRecord;
using reference::testing::Followed;
using reference::testing::kFollowedOnDevice;
using reference::testing::RecordedDifference;

const Followed& FollowedBy(const OwnerModules& owner) {
  for (const Followed& followed : kFollowedOnDevice) {
    if (owner.file == std::string("extractor/") + followed.owner) return followed;
  }
  throw std::runtime_error(owner.file + " follows no golden feature (golden/followed.h)");
}

size_t ModulesOf(const std::vector<OwnerModules>& owners) {
  size_t modules = 0;
  for (const OwnerModules& owner : owners) modules += owner.fields.size();
  return modules;
}

std::string OwnersTable(const PageData& data) {
  std::string text =
      "## Owners and their modules\n\n"
      "| extractor | owner, below `reference_impl/` | module handles |\n| --- | --- | --- |\n";
  for (const OwnerModules& owner : data.owners) {
    text += fmt::format("| `{}` | `{}` | `{}` |\n", FollowedBy(owner).extractor, owner.file,
                        fmt::join(owner.fields, "`, `"));
  }
  return text + fmt::format("\n{} owners, {} module handles.\n", data.owners.size(),
                            ModulesOf(data.owners));
}

std::string DifferenceText(const DifferenceRecord& record, const std::string& extractor) {
  const auto found = record.find(extractor);
  if (found == record.end()) return "no clip |";
  const RecordedDifference& difference = found->second;
  const std::string clips =
      fmt::format("{} clip{}", difference.clips, difference.clips == 1 ? "" : "s");
  if (difference.largest == 0) return fmt::format("0, {} |", clips);
  return fmt::format("{:.1e}, {} |", difference.largest, clips);
}

std::string GoldenTable(const PageData& data) {
  std::string text =
      "## Golden scores\n\n"
      "The largest difference over clips, frames, keys and, on the fake driver, sets of options: "
      "absolute, or relative where the golden score is above 1.\n0 is bit for bit. "
      "`differences_on_fake.json` is what `culprit-record-differences` measured, and a test holds "
      "the fake driver to it; the\ndevice's follow from its scores in `golden/h200`.\n\n"
      "| golden feature | extractor | may differ by | fake driver | where most | H200 |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Followed& followed : kFollowedOnDevice) {
    const RecordedDifference& on_fake = data.on_fake.at(followed.extractor);
    const std::string where =
        on_fake.largest == 0 ? "" : fmt::format("{}: {}", on_fake.clip, on_fake.where);
    text += fmt::format("| `{}` | `{}` | {} | {} {} | {}\n", followed.feature, followed.extractor,
                        followed.tolerance == 0 ? "0" : fmt::format("{:.0e}", followed.tolerance),
                        DifferenceText(data.on_fake, followed.extractor), where,
                        DifferenceText(data.on_device, followed.extractor));
  }
  return text;
}

std::string ResultText(const SuiteResult& result, size_t module) {
  std::string text = fmt::format("{}", result.life_cycles);
  if (module < result.module_faults.size()) {
    text += fmt::format(" ({})", result.module_faults[module]);
  }
  return result.failed == 0 ? text : fmt::format("**{} failed** of {}", result.failed, text);
}

std::string SuiteTable(const PageData& data) {
  const ModuleResults& results = data.results;
  std::string text =
      "## Suites\n\n"
      "Life cycles that the suites ran with each owner, all of which passed unless it says "
      "otherwise. In brackets: those in\nwhich the load or the unload of this very module was made "
      "to fail, counted where its owner is the only one of a serial session. A suite that sweeps a "
      "few extractors together takes the\nfirst ones: the others' fields are empty.\n\n"
      "| owner | module |";
  for (const auto& [suite, version] : results.suites) text += fmt::format(" `{}` |", suite);
  text += "\n| --- | --- |";
  for (size_t i = 0; i < results.suites.size(); ++i) text += " --- |";
  text += "\n";
  for (const OwnerModules& owner : data.owners) {
    const std::string extractor = FollowedBy(owner).extractor;
    const auto& of_owner = results.of_extractor.at(extractor);
    for (size_t module = 0; module < owner.fields.size(); ++module) {
      text += fmt::format("| `{}` | `{}` |", extractor, owner.fields[module]);
      for (const auto& [suite, run] : results.suites) {
        const auto result = of_owner.find(suite);
        text += fmt::format(" {} |",
                            result == of_owner.end() ? "" : ResultText(result->second, module));
      }
      text += "\n";
    }
  }
  uint64_t life_cycles = 0;
  std::set<std::string> builds;
  for (const auto& [suite, run] : results.suites) {
    life_cycles += run.life_cycles;
    builds.insert(run.driver + ", port build " + run.build_id);
  }
  return text + fmt::format("\n{} life cycles in all. {}.\n", life_cycles, fmt::join(builds, "; "));
}

void Require(bool met, const std::string& what) {
  if (!met) throw std::runtime_error(what);
}

}  // namespace

void CheckComplete(const PageData& data) {
  for (const reference::ExtractorDescriptor& extractor : reference::AllExtractors()) {
    if (extractor.backend != reference::Backend::kCuda) continue;
    const std::string name = extractor.name;
    Require(
        std::any_of(data.owners.begin(), data.owners.end(),
                    [&](const OwnerModules& owner) { return FollowedBy(owner).extractor == name; }),
        name + " has no owner in inventory.toml");
    Require(data.on_fake.contains(name), name + ": its differences have not been measured");
    Require(data.results.of_extractor.contains(name), name + " has not been certified");
  }
  for (const auto& [suite, version] : data.suite_versions) {
    const auto certified = data.results.suites.find(suite);
    Require(certified != data.results.suites.end() && certified->second.version == version,
            fmt::format("{} is of version {}, which has not been certified with", suite, version));
  }
}

std::string PageText(const PageData& data) {
  return "# The reference's extractors\n\n"
         "Printed from `reference_impl/inventory.toml`, `reference_impl/golden` and "
         "`reference_impl/certified.json` by\n`cmake --build build/release --target "
         "reference_page`; a test fails when this page is not what that prints. To certify anew, "
         "after a\nsuite's version was raised or an extractor added:\n\n"
         "    build/release/bin/culprit certify "
         "build/release/lib/culprit/ports/libculprit_reference.so\n"
         "    build/release/bin/culprit_reference_page . --take report/results.db > "
         "docs/reference.md\n\n" +
         OwnersTable(data) + "\n" + GoldenTable(data) + "\n" + SuiteTable(data);
}

}  // namespace culprit::tools
