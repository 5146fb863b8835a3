// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/expectations_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "input/day.h"
#include "input/text_file.h"
#include "suites/runner/digest.h"
#include "suites/runner/expectation_reader.h"
#include "suites/runner/step_reader.h"
#include "suites/runner/yaml_view.h"

namespace culprit::suites {
namespace {

constexpr uint64_t kVersion = 1;
template <size_t N>
std::string OneOf(const YamlView& node, const std::array<const char*, N>& known) {
  std::string text = node.Text();
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  node.Fail(fmt::format("'{}' is none of: {}", text, fmt::join(known, ", ")));
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
    waiver.finding = ReadFinding(node.Require(kWhat, "finding"));
    if (const auto entry = node.Find("entry")) waiver.entry = ReadEntry(*entry);
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
  if (version.Unsigned(0, UINT32_MAX) != kVersion) {
    version.Fail(fmt::format("only version {} is known", kVersion));
  }
  ExpectationsFile file;
  file.sha256 = Sha256(text);
  ReadList(root, WaiverList::kNeverSupported, &file.waivers);
  ReadList(root, WaiverList::kExpectedToFail, &file.waivers);
  return file;
}

ExpectationsFile ReadExpectationsFile(const std::string& path) {
  return ParseExpectationsFile(ReadTextFile(path), path);
}

}  // namespace culprit::suites
