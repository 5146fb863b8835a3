// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/finding_json.h"

#include <nlohmann/json.hpp>
#include <string>

namespace culprit::inventory {
namespace {

constexpr std::string_view kStandings[] = {"new", "suppressed", "baselined"};

}  // namespace

void to_json(nlohmann::json& json, const Location& where) {
  json = {{"path", where.path},           {"line", where.begin.line},
          {"column", where.begin.column}, {"end_column", where.end_column},
          {"text", where.line_text},      {"text_column", where.text_column}};
}

void from_json(const nlohmann::json& json, Location& where) {
  json.at("path").get_to(where.path);
  json.at("line").get_to(where.begin.line);
  json.at("column").get_to(where.begin.column);
  json.at("end_column").get_to(where.end_column);
  json.at("text").get_to(where.line_text);
  json.at("text_column").get_to(where.text_column);
}

void to_json(nlohmann::json& json, const Finding& finding) {
  json = {{"rule", InfoOf(finding.rule).name},
          {"severity", ToString(finding.severity)},
          {"where", finding.where},
          {"function", finding.function},
          {"message", finding.message},
          {"fingerprint", finding.fingerprint},
          {"standing", kStandings[static_cast<size_t>(finding.standing)]}};
  for (const Note& note : finding.notes)
    json["notes"].push_back({{"where", note.where}, {"message", note.message}});
  if (finding.fix) {
    json["fix"] = {{"begin", finding.fix->begin},
                   {"end", finding.fix->end},
                   {"replacement", finding.fix->replacement},
                   {"description", finding.fix->description}};
  }
  if (finding.in_unparsed_region) json["in_unparsed_region"] = true;
  if (!finding.reason.empty()) json["reason"] = finding.reason;
}

void from_json(const nlohmann::json& json, Finding& finding) {
  const RuleInfo* rule = FindRule(json.at("rule").get<std::string>());
  const auto severity = ParseSeverity(json.at("severity").get<std::string>());
  if (!rule || !severity)
    throw nlohmann::json::out_of_range::create(403, "unknown rule or severity", &json);
  finding.rule = rule->id;
  finding.severity = *severity;
  json.at("where").get_to(finding.where);
  json.at("function").get_to(finding.function);
  json.at("message").get_to(finding.message);
  finding.in_unparsed_region = json.value("in_unparsed_region", false);
  if (json.contains("notes")) {
    for (const auto& note : json["notes"]) {
      finding.notes.push_back(
          {note.at("where").get<Location>(), note.at("message").get<std::string>()});
    }
  }
  if (json.contains("fix")) {
    const auto& fix = json["fix"];
    finding.fix = Fix{fix.at("begin"), fix.at("end"), fix.at("replacement"), fix.at("description")};
  }
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HandleSite, object, field, held_outside, held_locally, on_close,
                                   function, where)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OwnerField, type, field, where)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MemberClose, field, method)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TeardownSite, entry, function, where, first_line, last_line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Suppression, rules, until, reason, where, begin, end, applies_to)

void to_json(nlohmann::json& json, const FileFacts& facts) {
  json = {{"path", facts.path},
          {"lines", facts.lines},
          {"creations", facts.creations},
          {"releases", facts.releases},
          {"owner_fields", facts.owner_fields},
          {"member_closes", facts.member_closes},
          {"closes", facts.closes},
          {"orders_matched", facts.orders_matched},
          {"teardowns", facts.teardowns},
          {"suppressions", facts.suppressions},
          {"unparsed_bytes", facts.unparsed_bytes}};
}

void from_json(const nlohmann::json& json, FileFacts& facts) {
  json.at("path").get_to(facts.path);
  json.at("lines").get_to(facts.lines);
  json.at("creations").get_to(facts.creations);
  json.at("releases").get_to(facts.releases);
  json.at("owner_fields").get_to(facts.owner_fields);
  json.at("member_closes").get_to(facts.member_closes);
  json.at("closes").get_to(facts.closes);
  json.at("orders_matched").get_to(facts.orders_matched);
  json.at("teardowns").get_to(facts.teardowns);
  json.at("suppressions").get_to(facts.suppressions);
  json.at("unparsed_bytes").get_to(facts.unparsed_bytes);
}

}  // namespace culprit::inventory
