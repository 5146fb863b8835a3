// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "stress/report/quantity.h"
#include "stress/report/report.h"

namespace culprit::stress {
namespace {

std::string ResourceLine(const ResourceResult& entry) {
  const Judgement& clean = entry.clean_judgement;
  std::string line = fmt::format("    {:<29} {:<7} {:>10} a cycle, could have seen {:>10}",
                                 InfoOf(entry.resource).title, NameOf(clean.verdict),
                                 Amount(entry.resource, clean.line.slope),
                                 Amount(entry.resource, clean.detectable));
  if (entry.control_judgement) {
    line += fmt::format("; control {} {}", NameOf(entry.control_judgement->verdict),
                        Amount(entry.resource, entry.control_judgement->line.slope));
  }
  line += '\n';
  if (!entry.known.empty()) line += fmt::format("      accepted: {}\n", entry.known);
  return line;
}

}  // namespace

ExitCode ExitCodeOf(std::span<const ProbeResult> results) {
  auto any = [&](Status status) {
    return std::any_of(results.begin(), results.end(),
                       [&](const ProbeResult& result) { return result.status == status; });
  };
  if (any(Status::kFailed)) return kExitFailed;
  if (any(Status::kLeak)) return kExitLeak;
  if (any(Status::kUnsure)) return kExitUnsure;
  return any(Status::kFlat) ? kExitFlat : kExitSkipped;
}

std::string TableHeader() {
  return fmt::format("{:<24} {:<8} {:>7} {:>7}  {}\n", "probe", "verdict", "cycles", "seconds",
                     "why");
}

std::string TableRow(const ProbeResult& result, bool details) {
  std::string row =
      fmt::format("{:<24} {:<8} {:>7} {:>7.1f}  {}\n", result.probe->name, NameOf(result.status),
                  result.cycles, result.seconds, result.reason);
  if (!details) return row;
  for (const ResourceResult& entry : result.resources) row += ResourceLine(entry);
  if (!result.clean.why_no_nvml.empty()) {
    row += fmt::format("    no figure from NVML: {}\n", result.clean.why_no_nvml);
  }
  return row;
}

}  // namespace culprit::stress
