// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/allocation.h"

#include <utility>

#include "fakedriver/core/context.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {
namespace {

ObjectKind ObjectKindOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
    case MemoryKind::kPool:
    case MemoryKind::kGraph:
      return ObjectKind::kAllocation;
    case MemoryKind::kManaged:
      return ObjectKind::kManaged;
    case MemoryKind::kPinned:
    case MemoryKind::kRegistered:
      return ObjectKind::kHostBlock;
    case MemoryKind::kMapped:
    case MemoryKind::kImported:
      return ObjectKind::kMapping;
    case MemoryKind::kGlobal:
    case MemoryKind::kHeap:
    case MemoryKind::kArray:
      return ObjectKind::kOther;
  }
  return ObjectKind::kOther;
}

// Contexts count from 1; memory of no context and memory that outlives contexts is shared by
// device.
uint64_t OwnerOf(MemoryKind kind, const Context* context, int device) {
  constexpr uint64_t kNoContext = uint64_t{1} << 63;
  const bool of_device = context == nullptr || OfDevice(kind);
  return of_device ? kNoContext + static_cast<uint64_t>(device) : context->id();
}

std::atomic<uint64_t> last_buffer_id{0};

}  // namespace

const char* Name(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
      return "device memory";
    case MemoryKind::kPool:
      return "pool memory";
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kPinned:
      return "pinned host memory";
    case MemoryKind::kRegistered:
      return "registered host memory";
    case MemoryKind::kGlobal:
      return "module variable";
    case MemoryKind::kHeap:
      return "device heap block";
    case MemoryKind::kMapped:
      return "mapped physical memory";
    case MemoryKind::kImported:
      return "imported memory";
    case MemoryKind::kArray:
      return "array";
    case MemoryKind::kGraph:
      return "graph memory";
  }
  return "memory";
}

Allocation::Allocation(MemoryKind kind, Context* context, int device, uint64_t size)
    : Object(ObjectKindOf(kind), context),
      buffer_id(last_buffer_id.fetch_add(1, std::memory_order_relaxed) + 1),
      memory_(kind),
      device_(device),
      owner_(OwnerOf(kind, context, device)),
      size_(size) {
  sync_operations = kind == MemoryKind::kManaged;  // as recorded
}

void Allocation::SetPlace(uint64_t base, std::byte* backing, uint64_t mapped_end) {
  base_ = base;
  backing_ = backing;
  mapped_end_ = mapped_end;
}

void Allocation::AllowAnotherFreeAfter(uint64_t call) {
  const bool freed_by_it = record().destroyed.sequence == call && !record().died_with_context;
  if (freed_by_it || freed_again_.load(std::memory_order_relaxed) == call) {
    another_free_.store(true, std::memory_order_relaxed);
  }
}

bool Allocation::TakeAllowedFree() {
  if (!another_free_.exchange(false, std::memory_order_relaxed)) return false;
  freed_again_.store(RecordOfCall().sequence, std::memory_order_relaxed);
  return true;
}

Ref<Object> Allocation::parent() const {
  std::lock_guard lock(parent_mutex_);
  return parent_;
}

void Allocation::set_parent(Ref<Object> parent) {
  std::lock_guard lock(parent_mutex_);
  parent_ = std::move(parent);
}

Ref<Object> Allocation::TakeParent() {
  std::lock_guard lock(parent_mutex_);
  return std::exchange(parent_, nullptr);
}

std::shared_ptr<const ExportRecord> Allocation::exported() const {
  std::lock_guard lock(parent_mutex_);
  return exported_;
}

void Allocation::set_exported(std::shared_ptr<const ExportRecord> record) {
  std::lock_guard lock(parent_mutex_);
  exported_ = std::move(record);
}

void Allocation::OnContextGone() { Memory::Get().Release(*this); }

}  // namespace culprit::fakedriver
