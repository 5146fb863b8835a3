// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/caller_contexts.h"

#include <fmt/format.h>

#include <stdexcept>

#include "suites/runner/driver_result.h"

namespace culprit::suites {
namespace {

void Demand(CUresult result, const char* entry) {
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error(
        fmt::format("the harness's own {} failed: {}", entry, DriverResultName(result)));
  }
}

CUresult Pop(const HarnessEntries& entries) {
  CUcontext popped = nullptr;
  return entries.cuCtxPopCurrent(&popped);
}

}  // namespace

CallerContexts::CallerContexts(const DriverUnderTest& driver, const Settings& settings)
    : driver_(driver), state_(settings.state) {
  const bool needs_owner =
      settings.state == StateContext::kGiven || settings.caller == CallerContext::kOwner;
  if (!needs_owner && settings.caller != CallerContext::kForeign) return;
  const HarnessEntries& entries = driver_.entries();
  HarnessScope harness(driver_.control());
  Demand(entries.cuInit(0), "cuInit");
  if (settings.state == StateContext::kGiven) {
    Demand(entries.cuCtxCreate(&owner_, 0, 0), "cuCtxCreate");
    Demand(Pop(entries), "cuCtxPopCurrent");
  } else if (needs_owner) {
    Demand(entries.cuDevicePrimaryCtxRetain(&owner_, 0), "cuDevicePrimaryCtxRetain");
    retained_ = true;
  }
  if (settings.caller == CallerContext::kForeign) {
    Demand(entries.cuCtxCreate(&foreign_, 0, 0), "cuCtxCreate");
    Demand(Pop(entries), "cuCtxPopCurrent");
  }
  current_ = settings.caller == CallerContext::kForeign ? foreign_
             : settings.caller == CallerContext::kOwner ? owner_
                                                        : nullptr;
}

CallerContexts::~CallerContexts() {
  if (owner_ == nullptr && foreign_ == nullptr) return;
  const HarnessEntries& entries = driver_.entries();
  HarnessScope harness(driver_.control());
  if (foreign_ != nullptr) entries.cuCtxDestroy(foreign_);
  if (retained_) {
    entries.cuDevicePrimaryCtxRelease(0);
  } else if (owner_ != nullptr) {
    entries.cuCtxDestroy(owner_);
  }
}

ContextStack CallerContexts::Now() const {
  CUcontext current = nullptr;
  if (driver_.entries().cuCtxGetCurrent(&current) != CUDA_SUCCESS) current = nullptr;
  return {driver_.control().stack_depth(), current};
}

ContextStack CallerContexts::Enter() {
  HarnessScope harness(driver_.control());
  if (current_ != nullptr) Demand(driver_.entries().cuCtxPushCurrent(current_), "cuCtxPushCurrent");
  return Now();
}

ContextStack CallerContexts::Leave(const ContextStack& entered) {
  HarnessScope harness(driver_.control());
  const ContextStack left = Now();
  const uint32_t own = current_ != nullptr ? 1 : 0;
  for (uint32_t depth = left.depth; depth + own > entered.depth; --depth) {
    if (Pop(driver_.entries()) != CUDA_SUCCESS) break;
  }
  return left;
}

}  // namespace culprit::suites
