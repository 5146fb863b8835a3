// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/inspect.h"

#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph.h"

namespace culprit::fakedriver {
namespace {

// Where the count of a kind is kept; null for kinds that are not counted by themselves (they live
// and die with another).
uint32_t* CounterOf(LiveCounts& counts, ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kContext:
      return &counts.contexts;
    case ObjectKind::kStream:
      return &counts.streams;
    case ObjectKind::kEvent:
      return &counts.events;
    case ObjectKind::kModule:
      return &counts.modules;
    case ObjectKind::kLibrary:
      return &counts.libraries;
    case ObjectKind::kAllocation:
    case ObjectKind::kManaged:
      return &counts.allocations;
    case ObjectKind::kHostBlock:
      return &counts.host_blocks;
    case ObjectKind::kPool:
      return &counts.pools;
    case ObjectKind::kGraph:
      return &counts.graphs;
    case ObjectKind::kGraphExec:
      return &counts.graph_execs;
    case ObjectKind::kUserObject:
      return &counts.user_objects;
    case ObjectKind::kMapping:
    case ObjectKind::kReservation:
    case ObjectKind::kPhysical:
      return &counts.mappings;
    default:
      return &counts.others;
  }
}

LiveObject Seen(const ObjectRecord& record, uint64_t context, uint64_t bytes) {
  return {.kind = KindName(record.kind),
          .number = record.serial,
          .handle = record.handle,
          .context = context,
          .bytes = bytes,
          .harness = record.harness,
          .orphan = record.orphaned,
          .created_call = record.created.sequence,
          .created_entry = Info(record.created.entry).symbol,
          .created_thread = record.created.thread,
          .created_return_address = record.created.return_address};
}

// A primary context is there because of its retains, which are counted; a function goes with its
// module, a child graph with its node.
bool CountedElsewhere(const Object& object) {
  if (object.record().internal) return true;
  switch (object.kind()) {
    case ObjectKind::kContext:
      return static_cast<const Context&>(object).primary();
    case ObjectKind::kGraph:
      return static_cast<const Graph&>(object).embedded();
    case ObjectKind::kFunction:
    case ObjectKind::kKernel:
    case ObjectKind::kGraphNode:
    case ObjectKind::kTextureReference:
      return true;
    default:
      return false;
  }
}

}  // namespace

LiveCounts CountLive() {
  LiveCounts counts;
  Driver& driver = Driver::Get();
  for (const Ref<Object>& object : driver.LiveObjects()) {
    const ObjectRecord& record = object->record();
    if (record.harness || CountedElsewhere(*object)) continue;
    if (record.orphaned) {
      ++counts.orphaned;
      continue;
    }
    ++*CounterOf(counts, record.kind);
    (record.kind == ObjectKind::kHostBlock ? counts.host_bytes : counts.device_bytes) +=
        object->bytes();
  }
  for (uint32_t i = 0; i < driver.device_count(); ++i) {
    for (const ObjectRecord& retain : driver.device(static_cast<int>(i))->OutstandingRetains()) {
      if (!retain.harness) ++(retain.orphaned ? counts.orphaned : counts.primary_retains);
    }
  }
  return counts;
}

std::vector<LiveObject> LiveObjects() {
  std::vector<LiveObject> seen;
  Driver& driver = Driver::Get();
  for (const Ref<Object>& object : driver.LiveObjects()) {
    if (CountedElsewhere(*object)) continue;
    const Context* owner = object->context();
    seen.push_back(Seen(object->record(), owner == nullptr ? 0 : owner->handle(), object->bytes()));
  }
  for (uint32_t i = 0; i < driver.device_count(); ++i) {
    Device& device = *driver.device(static_cast<int>(i));
    for (const ObjectRecord& retain : device.OutstandingRetains()) {
      seen.push_back(Seen(retain, device.primary().handle(), 0));
    }
  }
  return seen;
}

std::string VendorLibrary() { return ""; }

void ResetMachine() { Driver::Get().Reset(); }

uint32_t ContextStackDepth() noexcept { return static_cast<uint32_t>(CallingStack().depth()); }

uint64_t CurrentContextHandle() noexcept {
  const Context* current = CurrentContext();
  return current == nullptr ? 0 : current->handle();
}

}  // namespace culprit::fakedriver
