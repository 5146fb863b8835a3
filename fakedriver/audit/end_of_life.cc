// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/audit/end_of_life.h"

#include <array>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/callback_thread.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/describe.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph.h"

namespace culprit::fakedriver::audit {
namespace {

struct KindRule {
  ObjectKind kind;
  Rule rule;
  Family family;  // of the entries that end such an object
};

constexpr KindRule kKindRules[] = {
    {ObjectKind::kContext, Rule::kLeakContext, Family::kContext},
    {ObjectKind::kStream, Rule::kLeakStream, Family::kStream},
    {ObjectKind::kEvent, Rule::kLeakEvent, Family::kEvent},
    {ObjectKind::kModule, Rule::kLeakModule, Family::kModule},
    {ObjectKind::kLibrary, Rule::kLeakLibrary, Family::kLibrary},
    {ObjectKind::kAllocation, Rule::kLeakAllocation, Family::kMemory},
    {ObjectKind::kManaged, Rule::kLeakAllocation, Family::kMemory},
    {ObjectKind::kHostBlock, Rule::kLeakHostMemory, Family::kMemory},
    {ObjectKind::kPool, Rule::kLeakPool, Family::kPool},
    {ObjectKind::kGraph, Rule::kLeakGraph, Family::kGraph},
    {ObjectKind::kGraphExec, Rule::kLeakGraphExec, Family::kGraph},
    {ObjectKind::kUserObject, Rule::kLeakUserObject, Family::kGraph},
    {ObjectKind::kMapping, Rule::kLeakMapping, Family::kVirtualMemory},
    {ObjectKind::kReservation, Rule::kLeakMapping, Family::kVirtualMemory},
    {ObjectKind::kPhysical, Rule::kLeakMapping, Family::kVirtualMemory},
    {ObjectKind::kLinkState, Rule::kLeakOther, Family::kLink},
    {ObjectKind::kArray, Rule::kLeakOther, Family::kArray},
    {ObjectKind::kMipmappedArray, Rule::kLeakOther, Family::kArray},
    {ObjectKind::kTextureObject, Rule::kLeakOther, Family::kTexture},
    {ObjectKind::kSurfaceObject, Rule::kLeakOther, Family::kTexture},
    {ObjectKind::kOther, Rule::kLeakOther, Family::kOther},
};

// Null for what goes with another object.
const KindRule* RuleOf(const Object& object) {
  if (object.kind() == ObjectKind::kContext && static_cast<const Context&>(object).primary())
    return nullptr;
  if (object.kind() == ObjectKind::kGraph && static_cast<const Graph&>(object).embedded())
    return nullptr;
  for (const KindRule& rule : kKindRules) {
    if (rule.kind == object.kind()) return &rule;
  }
  return nullptr;
}

void AuditObjects(Driver& driver) {
  std::array<uint32_t, kFamilyCount> forgiven{};
  for (const Ref<Object>& object : driver.LiveObjects()) {
    const ObjectRecord& record = object->record();
    const KindRule* rule = RuleOf(*object);
    if (rule == nullptr || record.harness || record.orphaned || record.internal) continue;
    uint32_t& used = forgiven[static_cast<size_t>(rule->family)];
    if (used < driver.TeardownsAfterExit(rule->family)) {
      ++used;
      continue;
    }
    Details details{.object = Describe(record), .handle = record.handle};
    if (object->bytes() != 0) details.more.emplace_back("bytes", std::to_string(object->bytes()));
    Raise(rule->rule, std::move(details));
  }
}

void AuditRetains(Driver& driver) {
  uint32_t late = driver.TeardownsAfterExit(Family::kPrimaryContext);
  for (uint32_t i = 0; i < driver.device_count(); ++i) {
    for (const ObjectRecord& retain : driver.device(static_cast<int>(i))->OutstandingRetains()) {
      if (retain.harness || retain.orphaned) continue;
      if (late > 0) {
        --late;
        continue;
      }
      Raise(Rule::kPrimaryUnbalancedRetain, {.object = Describe(retain),
                                             .handle = retain.handle,
                                             .more = {{"device", std::to_string(i)}}});
    }
  }
}

// A push without its pop is an imbalance wherever it is. What was set current on a thread that has
// ended went with it.
void AuditStacks() {
  for (const ThreadStack& stack : AllStacks()) {
    for (const StackEntry& entry : stack.entries) {
      if (entry.harness || entry.bound.sequence == 0) continue;
      if (entry.set && (stack.ended || entry.bound.entry != ApiId::cuCtxSetCurrent)) continue;
      ObjectRecord binding = entry.context->record();
      Raise(entry.set ? Rule::kContextLeftCurrent : Rule::kContextStackImbalance,
            {.object = Describe(binding),
             .handle = binding.handle,
             .more = {{"thread", std::to_string(stack.thread)},
                      {"bound by call", std::to_string(entry.bound.sequence) + " (" +
                                            Info(entry.bound.entry).symbol + ")"}}});
    }
  }
}

}  // namespace

void AuditEndOfLife() {
  Driver& driver = Driver::Get();
  if (driver.phase() == Phase::kNotInitialized || driver.phase() == Phase::kForkedChild) return;
  AuditStacks();
  if (driver.sticky_error() != CUDA_SUCCESS) return;
  AuditObjects(driver);
  AuditRetains(driver);
}

}  // namespace culprit::fakedriver::audit
