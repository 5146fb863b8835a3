// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/context_stack.h"

namespace culprit::atlas {
namespace {

constexpr const char* kFirstDevice = "0";
constexpr const char* kRefusedFlags = "99";

}  // namespace

void ContextStack::After(const std::string& operation, const std::vector<std::string>& operands) {
  const std::string primary = "primary " + std::to_string(lives_);
  if (operation == "primary" || operation == "cuDevicePrimaryCtxRetain") {
    if (operation != "primary" && operands[1] != kFirstDevice) return;
    ++retains_;
    named_[operands[0]] = primary;
    if (operation == "primary") Push(primary);
  } else if (operation == "cuDevicePrimaryCtxRelease") {
    if (operands[0] != kFirstDevice || retains_ == 0 || --retains_ != 0) return;
    End(primary);
    ++lives_;
  } else if (operation == "context") {
    if (operands[1] == kRefusedFlags) return;
    named_[operands[0]] = operands[0];
    Push(operands[0]);
  } else if (operation == "cuCtxDestroy") {
    const std::string context = Named(operands[0]);
    if (!context.empty() && context == Current()) entries_.pop_back();
    End(context);
  } else if (operation == "cuCtxPushCurrent") {
    const std::string context = Named(operands[0]);
    if (!context.empty()) Push(context);
  } else if (operation == "cuCtxPopCurrent") {
    named_[operands[0]] = Current();
    if (!entries_.empty()) entries_.pop_back();
  } else if (operation == "cuCtxSetCurrent") {
    const std::string context = Named(operands[0]);
    if (!entries_.empty()) entries_.pop_back();
    if (!context.empty()) Push(context);
  } else if (operation == "cuCtxGetCurrent") {
    named_[operands[0]] = Current();
  } else if (operation == "cuStreamCreate" || operation == "cuStreamCreateWithPriority") {
    owners_[operands[0]] = Current();
  } else if (operation == "cuStreamGetCtx") {
    const auto owner = owners_.find(operands[0]);
    named_[operands[1]] = owner == owners_.end() ? Current() : owner->second;
  }
}

bool ContextStack::CurrentIsGone() const { return gone_.count(Current()) != 0; }

bool ContextStack::IsGone(const std::string& slot) const { return gone_.count(Named(slot)) != 0; }

std::string ContextStack::Named(const std::string& slot) const {
  const auto named = named_.find(slot);
  return named == named_.end() ? "" : named->second;
}

void ContextStack::Push(const std::string& context) {
  entries_.push_back(context);
  ++most_entries_;
}

void ContextStack::End(const std::string& context) {
  if (!context.empty()) gone_.insert(context);
}

}  // namespace culprit::atlas
