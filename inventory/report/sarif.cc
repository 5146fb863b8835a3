// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/sarif.h"

#include <nlohmann/json.hpp>
#include <string>

namespace culprit::inventory {
namespace {

using nlohmann::json;

std::string_view LevelOf(Severity severity) {
  return severity == Severity::kOff ? "none" : ToString(severity);
}

// Percent-encodes what a URI reference may not hold.
std::string UriOf(const std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri;
  for (const unsigned char c : path) {
    const bool plain =
        std::isalnum(c) ||
        std::string_view("/-._~!$&'()*+,;=@").find(static_cast<char>(c)) != std::string_view::npos;
    if (plain) {
      uri += static_cast<char>(c);
    } else {
      uri += {'%', kHex[c >> 4], kHex[c & 15]};
    }
  }
  return uri;
}

json ArtifactOf(const std::string& path) {
  return {{"uri", UriOf(path)}, {"uriBaseId", "SRCROOT"}};
}

json PhysicalLocation(const Location& where) {
  json region = {{"startLine", where.begin.line},
                 {"startColumn", where.begin.column},
                 {"endColumn", where.end_column}};
  if (!where.line_text.empty()) region["snippet"] = {{"text", where.line_text}};
  return {{"artifactLocation", ArtifactOf(where.path)}, {"region", std::move(region)}};
}

json RuleOf(const RuleInfo& rule) {
  return {{"id", rule.name},
          {"shortDescription", {{"text", rule.meaning}}},
          {"help",
           {{"text", "docs/inventory/rules/" + std::string(rule.name) +
                         ".md explains this rule with an example."}}},
          {"defaultConfiguration", {{"level", LevelOf(rule.severity)}}}};
}

json FixOf(const Finding& finding) {
  const Fix& fix = *finding.fix;
  const json replacement = {
      {"deletedRegion", {{"byteOffset", fix.begin}, {"byteLength", fix.end - fix.begin}}},
      {"insertedContent", {{"text", fix.replacement}}}};
  return {{"description", {{"text", fix.description}}},
          {"artifactChanges", json::array({{{"artifactLocation", ArtifactOf(finding.where.path)},
                                            {"replacements", json::array({replacement})}}})}};
}

json ResultOf(const Finding& finding) {
  json location = {{"physicalLocation", PhysicalLocation(finding.where)}};
  if (!finding.function.empty()) {
    location["logicalLocations"] =
        json::array({{{"name", finding.function}, {"kind", "function"}}});
  }
  json result = {{"ruleId", InfoOf(finding.rule).name},
                 {"ruleIndex", static_cast<int>(finding.rule)},
                 {"level", LevelOf(finding.severity)},
                 {"message", {{"text", finding.message}}},
                 {"locations", json::array({std::move(location)})},
                 {"partialFingerprints", {{"culpritInventory/v1", finding.fingerprint}}}};
  for (const Note& note : finding.notes) {
    result["relatedLocations"].push_back({{"physicalLocation", PhysicalLocation(note.where)},
                                          {"message", {{"text", note.message}}}});
  }
  if (finding.fix) result["fixes"] = json::array({FixOf(finding)});
  if (finding.standing != Standing::kNew) {
    result["suppressions"] =
        json::array({{{"kind", finding.standing == Standing::kSuppressed ? "inSource" : "external"},
                      {"justification", finding.reason}}});
  }
  if (finding.in_unparsed_region) result["properties"] = {{"inUnparsedRegion", true}};
  return result;
}

}  // namespace

json ToSarif(const Report& report) {
  json rules = json::array(), results = json::array();
  for (const RuleInfo& rule : AllRules()) rules.push_back(RuleOf(rule));
  for (const Finding& finding : report.findings) results.push_back(ResultOf(finding));
  json run = {
      {"tool",
       {{"driver",
         {{"name", "culprit inventory"},
          {"version", CULPRIT_VERSION},
          {"rules", std::move(rules)}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"originalUriBaseIds",
       {{"SRCROOT", {{"description", {{"text", "The folder in which the checker ran."}}}}}}},
      {"results", std::move(results)}};
  return {{"$schema",
           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
           "sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({std::move(run)})}};
}

}  // namespace culprit::inventory
