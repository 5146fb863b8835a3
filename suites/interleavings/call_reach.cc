// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/call_reach.h"

#include <unordered_map>

namespace culprit::interleavings {
namespace {

enum class Family : uint8_t { kContext, kPrimaryContext, kGreenContext, kOther };

// Of the names in the driver's table only these matter here.
constexpr Family FamilyNamed(std::string_view name) {
  if (name == "kContext") return Family::kContext;
  if (name == "kPrimaryContext") return Family::kPrimaryContext;
  if (name == "kGreenContext") return Family::kGreenContext;
  return Family::kOther;
}

constexpr bool IsOnOwnStack(std::string_view lookup) {
  return lookup == "cuCtxPushCurrent" || lookup == "cuCtxPopCurrent" ||
         lookup == "cuCtxSetCurrent" || lookup == "cuCtxGetCurrent";
}

constexpr CallReach Reach(std::string_view lookup, Family family, std::string_view effect) {
  if (IsOnOwnStack(lookup)) return CallReach::kOwnStack;
  return family != Family::kOther && effect == "kDestroys" ? CallReach::kEndsContext
                                                           : CallReach::kDriver;
}

}  // namespace

CallReach ReachOf(std::string_view entry) {
  static const auto* reaches = new std::unordered_map<std::string_view, CallReach>{
#define FD_API(symbol, lookup, since, family, effect, ...) \
  {#symbol, Reach(#lookup, FamilyNamed(#family), #effect)},
#define FD_STUB(symbol, lookup, since, family, effect, ...) \
  {#symbol, Reach(#lookup, FamilyNamed(#family), #effect)},
#include "fakedriver/abi/driver_api.def"
#undef FD_API
#undef FD_STUB
  };
  const auto found = reaches->find(entry);
  return found == reaches->end() ? CallReach::kDriver : found->second;
}

}  // namespace culprit::interleavings
