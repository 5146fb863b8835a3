// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/expectations_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>

#include "suites/runner/digest.h"
#include "suites/runner/policy.h"
#include "suites/runner/yaml_view.h"

namespace culprit::suites {
namespace {

constexpr uint64_t kVersion = 1;
constexpr const char* kProfiles[] = {"r580", "strict", "strict-submit"};
constexpr const char* kPolicies[] = {"eager", "timed", "lazy", "random"};

std::optional<int> Number(std::string_view digits) {
  int value = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

// A day that exists, as 2026-12-31.
bool IsDay(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = Number(std::string_view(text).substr(0, 4));
  const auto month = Number(std::string_view(text).substr(5, 2));
  const auto day = Number(std::string_view(text).substr(8, 2));
  if (!year || !month || !day || *month < 0 || *day < 0) return false;
  return std::chrono::year_month_day(std::chrono::year(*year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

template <size_t N>
std::string OneOf(const YamlView& node, const char* const (&known)[N]) {
  std::string text = node.Text();
  for (const char* name : known) {
    if (text == name) return text;
  }
  node.Fail(fmt::format("'{}' is none of: {}", text,
                        fmt::join(std::begin(known), std::end(known), ", ")));
}

std::string NotEmpty(const YamlView& node, const char* what) {
  std::string text = node.Text();
  if (text.find_first_not_of(" \t\n") == std::string::npos) {
    node.Fail(fmt::format("{} must not be empty", what));
  }
  return text;
}

Waiver ReadWaiver(const YamlView& node, WaiverList list) {
  Waiver waiver;
  waiver.list = list;
  waiver.where = node.where();
  constexpr const char* kWhat = "an entry";
  if (list == WaiverList::kNeverSupported) {
    node.AllowKeys(kWhat,
                   {"suite", "scenario", "profile", "policy", "extractor", "reason", "expires"});
  } else {
    node.AllowKeys(kWhat, {"suite", "scenario", "profile", "policy", "extractor", "finding",
                           "entry", "reason", "expires"});
    const YamlView finding = node.Require(kWhat, "finding");
    waiver.finding = NotEmpty(finding, "a finding");
    if (RuleOfFinding(waiver.finding) == nullptr) {
      finding.Fail(fmt::format("'{}' is no finding; docs/findings lists them", waiver.finding));
    }
    if (const auto entry = node.Find("entry")) waiver.entry = NotEmpty(*entry, "an entry");
  }
  waiver.suite = NotEmpty(node.Require(kWhat, "suite"), "a suite");
  waiver.reason = NotEmpty(node.Require(kWhat, "reason"), "a reason");
  if (const auto scenario = node.Find("scenario")) {
    waiver.scenario = NotEmpty(*scenario, "a scenario");
  }
  if (const auto profile = node.Find("profile")) waiver.profile = OneOf(*profile, kProfiles);
  if (const auto policy = node.Find("policy")) waiver.policy = OneOf(*policy, kPolicies);
  if (const auto extractor = node.Find("extractor")) {
    waiver.extractor = NotEmpty(*extractor, "an extractor");
  }
  if (const auto expires = node.Find("expires")) {
    waiver.expires = expires->Text();
    if (!IsDay(waiver.expires)) {
      expires->Fail(fmt::format("'{}' is no day; write 2026-12-31", waiver.expires));
    }
  }
  return waiver;
}

void ReadList(const YamlView& root, WaiverList list, std::vector<Waiver>* waivers) {
  const auto node = root.Find(NameOf(list));
  if (!node) return;
  for (const YamlView& item : node->Items()) {
    Waiver waiver = ReadWaiver(item, list);
    for (const Waiver& other : *waivers) {
      if (other.list == list && other.suite == waiver.suite && other.What() == waiver.What()) {
        item.Fail(fmt::format("the entry in line {} says the same", other.where.line));
      }
    }
    waivers->push_back(std::move(waiver));
  }
}

}  // namespace

ExpectationsFile ParseExpectationsFile(const std::string& text, const std::string& name) {
  const YamlView root = YamlView::Parse(text, name);
  root.AllowKeys("an expectations file",
                 {"culprit_expectations", "never_supported", "expected_to_fail"});
  const YamlView version = root.Require("an expectations file", "culprit_expectations");
  if (version.Unsigned(UINT32_MAX) != kVersion) {
    version.Fail(fmt::format("only version {} is known", kVersion));
  }
  ExpectationsFile file;
  file.sha256 = Sha256(text);
  ReadList(root, WaiverList::kNeverSupported, &file.waivers);
  ReadList(root, WaiverList::kExpectedToFail, &file.waivers);
  return file;
}

ExpectationsFile ReadExpectationsFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw SuiteError({path}, "cannot be read");
  return ParseExpectationsFile({std::istreambuf_iterator<char>(file), {}}, path);
}

}  // namespace culprit::suites
