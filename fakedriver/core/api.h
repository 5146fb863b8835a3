// SPDX-License-Identifier: Apache-2.0
//
// The identity of every exported function, expanded from the driver table: one ApiId and one
// ApiInfo a row, alias rows included, in the table's order, so that kApis[id] is the row of id.
#ifndef FAKEDRIVER_CORE_API_H_
#define FAKEDRIVER_CORE_API_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver {

enum class ApiId : uint16_t {
#define FD_API(symbol, ...) symbol,
#define FD_STUB(symbol, ...) symbol,
#define FD_ALIAS(symbol, ...) symbol,
#include "fakedriver/abi/driver_api.def"
  kCount
};
inline constexpr size_t kApiCount = static_cast<size_t>(ApiId::kCount);

// What an entry is about. The text form (FamilyName) is what plans, traces and reports use.
enum class Family : uint8_t {
  kError,
  kInit,
  kDevice,
  kPrimaryContext,
  kContext,
  kModule,
  kLibrary,
  kFunction,
  kLink,
  kLaunch,
  kMemory,
  kCopy,
  kPool,
  kVirtualMemory,
  kIpc,
  kArray,
  kTexture,
  kStream,
  kEvent,
  kGraph,
  kGreenContext,
  kPeer,
  kExternal,
  kGraphics,
  kProfiler,
  kCoredump,
  kCheckpoint,
  kDebugger,
  kOther,
};
inline constexpr size_t kFamilyCount = static_cast<size_t>(Family::kOther) + 1;

// What a successful call does to the objects of the machine.
enum class Effect : uint8_t { kQueries, kSets, kCreates, kDestroys, kSubmits, kWaits };

// What a call needs before it can do anything; docs/architecture.md names the source of each.
enum class Needs : uint8_t {
  kNothing,          // works before cuInit
  kInitialized,      // cuInit in this process
  kCurrent,          // a live current context
  kCurrentOrStream,  // a current context, unless an explicit stream or event names one
  kOwnerAtTeardown,  // the owner's context, demanded by the strict profiles only
};

// Which default stream a null stream handle means.
enum class Variant : uint8_t { kLegacy, kPtsz, kPtds };

struct ApiInfo {
  ApiId id;
  ApiId base;  // the row whose handler runs; id itself, except for aliases
  const char* symbol;
  const char* lookup;
  int since;  // first CUDA version with this variant; 0: not offered by cuGetProcAddress
  Family family;
  Effect effect;
  Needs needs;
  Variant variant;
  bool modelled;
  const char* parameters;  // "(CUstream* phStream, unsigned int Flags)"
};

namespace api_internal {

consteval std::array<ApiInfo, kApiCount> MakeTable() {
  std::array<ApiInfo, kApiCount> table{{
#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments)      \
  {ApiId::symbol,  ApiId::symbol, #symbol,          #lookup, since,      Family::family, \
   Effect::effect, Needs::needs,  Variant::kLegacy, true,    #parameters},
#define FD_STUB(symbol, lookup, since, family, effect, needs, parameters, arguments)     \
  {ApiId::symbol,  ApiId::symbol, #symbol,          #lookup, since,      Family::family, \
   Effect::effect, Needs::needs,  Variant::kLegacy, false,   #parameters},
#define FD_ALIAS(symbol, base, lookup, since, variant, parameters, arguments)                \
  {ApiId::symbol,    ApiId::base,     #symbol,          #lookup, since,      Family::kOther, \
   Effect::kQueries, Needs::kNothing, Variant::variant, false,   #parameters},
#include "fakedriver/abi/driver_api.def"
  }};
  for (ApiInfo& row : table) {
    const ApiInfo& base = table[static_cast<size_t>(row.base)];
    row.family = base.family;
    row.effect = base.effect;
    row.needs = base.needs;
    row.modelled = base.modelled;
  }
  return table;
}

}  // namespace api_internal

inline constexpr std::array<ApiInfo, kApiCount> kApis = api_internal::MakeTable();

constexpr const ApiInfo& Info(ApiId id) { return kApis[static_cast<size_t>(id)]; }

// "primary_context", "stream", ...
const char* FamilyName(Family family);
std::optional<Family> FamilyNamed(std::string_view name);

// "creates", "destroys", ...
const char* EffectName(Effect effect);

// "current", "owner_at_teardown", ...
const char* NeedsName(Needs needs);

// The row of an exported symbol. Aliases have rows of their own.
std::optional<ApiId> ApiNamed(std::string_view symbol);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_API_H_
