// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/injection.h"

#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {
namespace {

void OrphanWhatItCreated(uint64_t call) {
  Driver& driver = Driver::Get();
  for (const Ref<Object>& object : driver.LiveObjects()) {
    if (object->record().created.sequence != call) continue;
    object->record().orphaned = true;
    // A capture's graph has nodes that other calls made.
    if (object->kind() == ObjectKind::kGraph)
      GraphMemory::ForgetClaimsOf(static_cast<const Graph&>(*object));
  }
  for (uint32_t i = 0; i < driver.device_count(); ++i) {
    driver.device(static_cast<int>(i))->OrphanRetain(call);
  }
}

void AllowAnotherDestroy(const CallInProgress& call) {
  Driver& driver = Driver::Get();
  driver.handles().ForEachDead([&](ObjectRecord& record) {
    if (record.destroyed.sequence == call.sequence && !record.died_with_context) {
      record.ambiguous = true;
    }
  });
  Memory::Get().AllowAnotherFree(call.sequence);
  const ApiId entry = Info(call.api).base;
  if (entry != ApiId::cuDevicePrimaryCtxRelease && entry != ApiId::cuDevicePrimaryCtxRelease_v2)
    return;
  for (uint32_t i = 0; i < driver.device_count(); ++i) {
    driver.device(static_cast<int>(i))->AllowOneMoreRelease(call.sequence);
  }
}

}  // namespace

void EffectHidden(const CallInProgress& call) {
  if (call.sequence == 0) return;
  GraphMemory::ForgetClaims(call.sequence);
  switch (Info(call.api).effect) {
    case Effect::kCreates:
      OrphanWhatItCreated(call.sequence);
      break;
    case Effect::kDestroys:
      AllowAnotherDestroy(call);
      break;
    case Effect::kSubmits:  // launches of graphs allocate and free memory
      OrphanWhatItCreated(call.sequence);
      Memory::Get().AllowAnotherFree(call.sequence);
      break;
    default:
      break;
  }
}

void LoseContexts(CUresult error) { Driver::Get().Poison(error); }

}  // namespace culprit::fakedriver
