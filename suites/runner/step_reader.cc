// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/step_reader.h"

#include <fmt/format.h>

#include <cerrno>

#include "suites/runner/driver_entry.h"
#include "suites/runner/driver_result.h"

namespace culprit::suites {
namespace {

constexpr uint64_t kMostFlushThreads = 64;

struct NamedErrno {
  const char* name;
  int value;
};
constexpr NamedErrno kErrnos[] = {{"EINVAL", EINVAL}, {"EBUSY", EBUSY},    {"ENOMEM", ENOMEM},
                                  {"EIO", EIO},       {"ENODEV", ENODEV},  {"ENOENT", ENOENT},
                                  {"EAGAIN", EAGAIN}, {"ENOTSUP", ENOTSUP}};

ExpectedFailure ReadFailure(const YamlView& node) {
  ExpectedFailure failure{.name = node.Text()};
  for (const NamedErrno& known : kErrnos) {
    if (failure.name == known.name) {
      failure.error = -known.value;
      return failure;
    }
  }
  const auto result = DriverResultValue(failure.name);
  if (!result || *result == 0) {
    node.Fail(fmt::format("'{}' is neither a CUresult nor a known errno", failure.name));
  }
  failure.cu_result = *result;
  return failure;
}

Options ReadOptions(const YamlView& node) {
  Options options;
  for (const auto& [key, value] : node.Entries()) options.emplace_back(key, value.TextOrEmpty());
  return options;
}

void ReadArguments(const YamlView& node, Step* step) {
  if (node.IsNull()) return;
  switch (step->kind) {
    case StepKind::kSubmit:
    case StepKind::kFetch:
      node.AllowKeys("submit or fetch", {"from", "count"});
      if (const auto from = node.Find("from")) {
        step->first_frame = static_cast<uint32_t>(from->Unsigned(0, UINT32_MAX));
      }
      if (const auto count = node.Find("count")) {
        step->frame_count = static_cast<uint32_t>(count->Unsigned(1, UINT32_MAX));
      }
      break;
    case StepKind::kPreallocate:
      node.AllowKeys("preallocate", {"pictures"});
      step->pictures =
          static_cast<uint32_t>(node.Require("preallocate", "pictures").Unsigned(0, kMostPictures));
      break;
    case StepKind::kUse:
      node.AllowKeys("use", {"options"});
      if (const auto options = node.Find("options")) step->options = ReadOptions(*options);
      break;
    case StepKind::kClose:
    case StepKind::kStateFree:
      node.AllowKeys("a release", {"until_zero"});
      if (const auto until = node.Find("until_zero")) step->until_zero = until->Flag();
      break;
    case StepKind::kOperate:
      step->operation = node.Text();
      break;
    default:
      node.Fail(fmt::format("'{}' takes no arguments", NameOf(step->kind)));
  }
}

Step ReadStep(const YamlView& node) {
  Step step;
  step.where = node.where();
  if (node.IsText()) {
    const auto kind = StepKindOf(node.Text());
    if (!kind || *kind == StepKind::kOperate) {
      node.Fail(fmt::format("'{}' is no step without arguments", node.Text()));
    }
    step.kind = *kind;
    return step;
  }
  int kinds = 0;
  for (const auto& [key, value] : node.Entries()) {
    if (key == "thread") {
      step.thread = static_cast<uint32_t>(value.Unsigned(0, kMostFlushThreads));
    } else if (key == "fails_with") {
      step.fails_with = ReadFailure(value);
    } else if (key == "with") {
      step.options = ReadOptions(value);
    } else if (const auto kind = StepKindOf(key)) {
      step.kind = *kind;
      ReadArguments(value, &step);
      ++kinds;
    } else {
      value.Fail(
          fmt::format("unknown key '{}'; a step has its own name, thread, with, fails_with", key));
    }
  }
  if (kinds != 1) node.Fail("a step names exactly one thing to do");
  if (!step.options.empty() && step.kind != StepKind::kOperate && step.kind != StepKind::kUse) {
    node.Fail("'with' belongs to operate");
  }
  return step;
}

Fault ReadFault(const YamlView& node) {
  Fault fault;
  node.AllowKeys("a fault", {"entry", "nth", "span", "before", "after", "optional"});
  fault.entry = ReadEntry(node.Require("a fault", "entry"));
  if (const auto nth = node.Find("nth")) fault.nth = nth->Unsigned(1, UINT32_MAX);
  if (const auto span = node.Find("span")) {
    if (!Parse(span->Text(), &fault.span)) span->Fail("span is 'once' or 'sticky'");
  }
  const auto before = node.Find("before");
  const auto after = node.Find("after");
  if (before.has_value() == after.has_value()) {
    node.Fail("a fault has one result, either 'before' the effect of the call or 'after' it");
  }
  fault.when = before ? FaultWhen::kBefore : FaultWhen::kAfter;
  const YamlView& named = before ? *before : *after;
  const auto result = DriverResultValue(named.Text());
  if (!result || *result == 0) named.Fail(fmt::format("'{}' is no CUresult", named.Text()));
  fault.result = *result;
  if (const auto optional = node.Find("optional")) fault.optional = optional->Flag();
  return fault;
}

}  // namespace

std::string ReadEntry(const YamlView& node) {
  std::string entry = node.Text();
  if (!IsDriverEntry(entry)) node.Fail(fmt::format("the driver has no entry '{}'", entry));
  return entry;
}

std::vector<Step> ReadSteps(const YamlView& list) {
  std::vector<Step> steps;
  for (const YamlView& item : list.SomeItems()) steps.push_back(ReadStep(item));
  return steps;
}

std::vector<Fault> ReadFaults(const YamlView& list) {
  std::vector<Fault> faults;
  for (const YamlView& item : list.SomeItems()) faults.push_back(ReadFault(item));
  return faults;
}

}  // namespace culprit::suites
