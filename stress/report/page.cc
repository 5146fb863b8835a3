// SPDX-License-Identifier: Apache-2.0
#include "stress/report/page.h"

#include <fmt/format.h>

#include "stress/report/chart.h"
#include "stress/report/quantity.h"

namespace culprit::stress {
namespace {

constexpr char kStyle[] = R"(
:root { color-scheme: light dark; --ink: #1c2530; --paper: #fff; --faint: #8895a5; --line: #2f6fb0;
        --leak: #b3261e; --flat: #1b7f4b; --unsure: #9a6700; --shade: #8895a522; }
@media (prefers-color-scheme: dark) { :root { --ink: #dde5ee; --paper: #12171d; --line: #76b0ea;
        --leak: #ff8a80; --flat: #6bd29b; --unsure: #e3b341; } }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem; color: var(--ink);
       background: var(--paper); }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left;
        vertical-align: top; } th { font-weight: 600; border-bottom: 1px solid var(--faint); }
.charts { display: flex; flex-wrap: wrap; gap: .8rem; }
svg { border: 1px solid var(--shade); border-radius: 4px; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .title { font-weight: 600; } svg .axis { fill: var(--faint); } svg .end { text-anchor: end; }
.series { fill: none; stroke: var(--line); stroke-width: 1.4; }
.fit { stroke: var(--leak); stroke-width: 1; stroke-dasharray: 4 3; }
.warm { fill: var(--shade); }
.leak, svg text.leak { color: var(--leak); fill: var(--leak); }
.failed { color: var(--leak); }
.flat, svg text.flat { color: var(--flat); fill: var(--flat); }
.unsure, svg text.unsure { color: var(--unsure); fill: var(--unsure); }
.skipped { color: var(--faint); }
)";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string TableOf(const Report& report) {
  std::string table =
      "<table><tr><th>probe</th><th>verdict</th><th>cycles</th><th>seconds</th><th>why</th></tr>\n";
  for (const ProbeResult& result : report.results) {
    const std::string name = Escaped(result.probe->name);
    table += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"{1}\">{1}</td><td>{2}</td>"
        "<td>{3:.1f}</td><td>{4}</td></tr>\n",
        name, NameOf(result.status), result.cycles, result.seconds, Escaped(result.reason));
  }
  return table + "</table>\n";
}

std::string SectionOf(const ProbeResult& result) {
  std::string section = fmt::format(
      "<h2 id=\"{0}\">{0}: <span class=\"{1}\">{1}</span></h2>\n<p>{2}. The control loses {3} a "
      "cycle.</p>\n<div class=\"charts\">\n",
      Escaped(result.probe->name), NameOf(result.status), Escaped(result.probe->summary),
      Escaped(result.probe->object));
  for (const ResourceResult& entry : result.resources) {
    const std::string title(InfoOf(entry.resource).title);
    section += Chart(title + ", clean", entry.resource, entry.clean, entry.clean_judgement);
    if (entry.control_judgement) {
      section +=
          Chart(title + ", control", entry.resource, entry.control, *entry.control_judgement);
    }
  }
  return section + "</div>\n";
}

}  // namespace

std::string ToPage(const Report& report) {
  const Machine& machine = report.machine;
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<title>Driver memory over cycles</title>\n<style>{}</style></head><body>\n"
      "<h1>Driver memory over cycles</h1>\n<p>{}, driver {}, CUDA {}, {}</p>\n",
      kStyle, Escaped(machine.device.empty() ? "no device" : machine.device),
      Escaped(machine.driver_version.empty() ? "unknown" : machine.driver_version),
      Escaped(machine.cuda_version.empty() ? "unknown" : machine.cuda_version), report.date);
  page +=
      "<p>Each chart shows how far a resource moved from its first reading. Dashed: the fitted "
      "line. "
      "Shaded: warm-up, left out of the fit.</p>\n";
  page += TableOf(report);
  for (const ProbeResult& result : report.results) {
    if (!result.resources.empty()) page += SectionOf(result);
  }
  return page + "</body></html>\n";
}

}  // namespace culprit::stress
