// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/results.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace culprit::fakedriver {
namespace {

struct Result {
  CUresult value;
  const char* name;
  const char* description;
};

constexpr Result kResults[] = {
#define FD_RESULT(name, text) {name, #name, text},
#include "fakedriver/abi/results.def"
};
static_assert(std::ranges::is_sorted(kResults, {}, &Result::value));

const Result* Find(CUresult value) {
  const Result* found = std::ranges::lower_bound(kResults, value, {}, &Result::value);
  return found != std::end(kResults) && found->value == value ? found : nullptr;
}

using ResultsByLookup = std::map<std::string_view, std::vector<CUresult>>;

const ResultsByLookup& Documented() {
  static const auto* table = new ResultsByLookup{
#define FD_RESULTS(lookup, ...) {#lookup, {__VA_ARGS__}},
#include "fakedriver/abi/driver_results.def"
  };
  return *table;
}

}  // namespace

const char* ResultName(CUresult result) {
  const Result* found = Find(result);
  return found == nullptr ? nullptr : found->name;
}

std::string ResultText(CUresult result) {
  const char* name = ResultName(result);
  return name == nullptr ? std::to_string(static_cast<int>(result)) : name;
}

const char* ResultDescription(CUresult result) {
  const Result* found = Find(result);
  return found == nullptr ? nullptr : found->description;
}

std::optional<CUresult> ResultNamed(std::string_view name) {
  const Result* found = std::ranges::find(
      kResults, name, [](const Result& result) { return std::string_view(result.name); });
  if (found == std::end(kResults)) return std::nullopt;
  return found->value;
}

std::optional<CUresult> ResultNumbered(int64_t number) {
  const Result* found = std::ranges::find(
      kResults, number, [](const Result& result) { return static_cast<int64_t>(result.value); });
  if (found == std::end(kResults)) return std::nullopt;
  return found->value;
}

std::span<const CUresult> DocumentedResults(ApiId id) {
  auto found = Documented().find(Info(id).lookup);
  if (found == Documented().end()) return {};
  return found->second;
}

}  // namespace culprit::fakedriver
