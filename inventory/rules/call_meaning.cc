// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/call_meaning.h"

#include <algorithm>

namespace culprit::inventory {
namespace {

bool NamesAny(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& declared) {
    return NamesFunction(declared, name) || LastComponent(declared) == name;
  });
}

}  // namespace

bool CallMeaning::IsPush(const Event& call) const {
  if (call.entry) return call.entry->role == Role::kPushes || call.entry->lookup == "cuCtxCreate";
  return NamesAny(view_.contract.push_helpers, call.path);
}

bool CallMeaning::IsPop(const Event& call) const {
  if (call.entry) return call.entry->role == Role::kPops;
  return NamesAny(view_.contract.pop_helpers, call.path);
}

bool CallMeaning::IsHelper(const Event& call) const {
  if (call.kind != EventKind::kCall || call.entry) return false;
  // x.release() of some library class is no helper that takes a handle, unless the contract names a
  // method.
  const bool bare_method = !call.receiver.empty() && call.arguments.empty();
  return std::any_of(
      view_.contract.helpers.begin(), view_.contract.helpers.end(), [&](const Helper& helper) {
        const bool is_method = helper.name.find("::") != std::string::npos;
        return LastComponent(helper.name) == call.path && (is_method || !bare_method);
      });
}

bool CallMeaning::Releases(const Event& call) const {
  if (call.kind != EventKind::kCall) return false;
  return call.entry ? call.entry->role == Role::kDestroys : IsHelper(call);
}

bool CallMeaning::Releases(const Event& call, std::string_view handle) const {
  return Releases(call) &&
         std::find(call.arguments.begin(), call.arguments.end(), handle) != call.arguments.end();
}

bool CallMeaning::CarriesResult(const Event& call) const {
  if (call.kind != EventKind::kCall) return false;
  if (call.entry || IsHelper(call)) return true;
  const CallGraph& calls = view_.vocabulary.calls;
  return calls.ReachesDriver(view_.file.path(), call.path) &&
         !calls.ReturnsVoid(view_.file.path(), call.path);
}

}  // namespace culprit::inventory
