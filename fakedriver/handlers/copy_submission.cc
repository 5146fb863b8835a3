// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/copy_submission.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/bytes_in_place.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/memory_use.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/stream_races.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr uint32_t kPoison = 0xbadc0de5;

bool Postpones(Policy policy) { return policy == Policy::kLazy || policy == Policy::kRandom; }

struct QueuedTransfer {
  Transfer transfer;
  MemoryUse to;
  MemoryUse from;
  std::optional<uint64_t> source_hash;
  std::vector<std::byte> staged;  // the source, when the driver takes a copy of pageable memory

  explicit QueuedTransfer(Transfer&& what)
      : transfer(std::move(what)), to(transfer.to.allocation), from(transfer.from.allocation) {}
};

void RaiseSourceChanged(const Transfer& transfer, bool gone) {
  audit::Raise(
      audit::Rule::kMemorySourceChanged,
      {.message = gone ? "The source of a queued copy was gone before the copy ran"
                       : "The source of a queued copy changed before the copy ran",
       .handle = transfer.from.address,
       .more = {{"bytes", fmt::format("{}", transfer.extent.width * transfer.extent.height *
                                                transfer.extent.depth)}}});
}

CUresult Run(QueuedTransfer& queued) {
  Transfer& transfer = queued.transfer;
  // Memory that another thread freed while the call was on its way.
  if (queued.to.too_late() || queued.from.too_late()) return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (queued.source_hash) {
    const std::optional<uint64_t> now = HashOfReadable(transfer.from.block, transfer.extent);
    if (now != queued.source_hash) RaiseSourceChanged(transfer, !now);
    if (!now) return CUDA_SUCCESS;  // there is nothing to copy any more
  }
  Perform(transfer);
  return CUDA_SUCCESS;
}

// CUDA driver API, API synchronization behavior: a synchronous call waits unless it copies from
// device to device, an asynchronous one when it copies to pageable memory. A copy from pageable
// memory may return before the bytes have arrived; programs rely on more, so it counts as a wait.
bool HostKnowsEnd(const Transfer& transfer, bool asynchronous) {
  if (asynchronous) return transfer.to.pageable();
  if (transfer.to.pageable() || (!transfer.fill && transfer.from.pageable())) return true;
  return SynchronizesHost(*transfer.to.allocation) ||
         (!transfer.fill && SynchronizesHost(*transfer.from.allocation));
}

void Stage(QueuedTransfer& queued) {
  Transfer& transfer = queued.transfer;
  const Extent& extent = transfer.extent;
  queued.staged = PackBlock(transfer.from.block, extent);
  transfer.from.block = {queued.staged.data(), extent.width, extent.width * extent.height};
}

// What was there when the node was made, or for memory of a graph what any launch put there.
bool IsSame(const Allocation& planned, const Allocation& now) {
  return &planned == &now || (planned.place() != 0 && planned.place() == now.place());
}

}  // namespace

bool SynchronizesHost(const Allocation& allocation) {
  return IsHostAccessible(allocation.memory()) ||
         allocation.sync_operations.load(std::memory_order_relaxed);
}

void Perform(const Transfer& transfer) {
  {
    const BytesInPlace in_place;
    if (transfer.fill) {
      FillBlock(transfer.to.block, transfer.extent, transfer.value, transfer.element);
    } else {
      CopyBlock(transfer.to.block, transfer.from.block, transfer.extent);
    }
  }
  NoteTransfer(transfer);
  const Allocation* written = transfer.to.allocation.get();
  if (written == nullptr || written->written() == nullptr) return;
  for (uint64_t z = 0; z < transfer.extent.depth; ++z) {
    for (uint64_t y = 0; y < transfer.extent.height; ++y) {
      const std::byte* row = transfer.to.block.Row(y, z);
      written->MarkWritten(written->base() + static_cast<uint64_t>(row - written->backing()),
                           transfer.extent.width);
    }
  }
}

CUresult PerformIfThere(const Transfer& planned) {
  Transfer transfer = planned;
  for (CopyOperand* operand : {&transfer.to, &transfer.from}) {
    if (!operand->allocation) continue;
    // A stream-ordered free that is queued behind this leaves the memory where it is.
    const AddressSpace::Located now = Memory::Get().addresses().Locate(operand->address);
    if (now.state == AddressSpace::State::kLive && IsSame(*operand->allocation, *now.allocation)) {
      operand->allocation = now.allocation;
      continue;
    }
    RaiseBadRange(operand->address, transfer.extent.width, operand == &transfer.to ? "dst" : "src");
    return now.state == AddressSpace::State::kUnmapped ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
  }
  const MemoryUse to(transfer.to.allocation);
  const MemoryUse from(transfer.from.allocation);
  if (to.too_late() || from.too_late()) return CUDA_ERROR_ILLEGAL_ADDRESS;
  Perform(transfer);
  return CUDA_SUCCESS;
}

CUresult Submit(Transfer transfer, Stream& stream, HostWait wait) {
  if (transfer.extent.empty()) return CUDA_SUCCESS;
  if (stream.capturing()) return AddToCapture(stream, TransferNode(std::move(transfer)));
  const uint64_t row = transfer.extent.width;
  if (CUresult result = NeedMemory(transfer.to, row, "dst")) return result;
  if (CUresult result = NeedMemory(transfer.from, row, "src")) return result;
  const Settings& settings = CurrentSettings();
  const bool postpones = Postpones(settings.policy);
  const bool asynchronous = wait == HostWait::kAsMeasured;
  const bool host_source = !transfer.fill && transfer.from.host();
  const bool pageable_source = !transfer.fill && transfer.from.pageable();
  const bool pageable_destination = transfer.to.pageable();

  auto queued = std::make_shared<QueuedTransfer>(std::move(transfer));
  Operation operation;
  operation.host_waits = HostKnowsEnd(queued->transfer, asynchronous);
  const bool host_knows = operation.host_waits;
  if (host_source && queued->transfer.source_during_call) {
    Stage(*queued);
  } else if (postpones && asynchronous && settings.checks.pending_copies) {
    const Transfer& moved = queued->transfer;
    if (host_source) queued->source_hash = HashOfReadable(moved.from.block, moved.extent);
    if (moved.to.host() && !host_source) {
      operation.prologue = [queued] {
        const Transfer& waiting = queued->transfer;
        FillBlock(waiting.to.block, waiting.extent, kPoison, 4);
      };
    }
  } else if (!postpones && asynchronous && pageable_source && stream.tail() != nullptr) {
    Stage(*queued);
  }
  operation.body = [queued] { return Run(*queued); };
  queued.reset();
  const Completion completion = Enqueue(stream, std::move(operation));
  HappensBefore& order = HappensBefore::Get();
  const Clock over = host_knows ? order.EndOf(stream) : Clock();
  // A vendor driver returns from a copy to pageable memory when it is done. It promises nothing of
  // the kind, so policies that postpone do not.
  if (!asynchronous || (pageable_destination && !postpones)) WaitFor(completion);
  order.HostKnows(over);
  return asynchronous ? CUDA_SUCCESS : Driver::Get().sticky_error();
}

}  // namespace culprit::fakedriver::handlers
