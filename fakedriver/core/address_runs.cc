// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/address_runs.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace culprit::fakedriver {
namespace {

// Where the first chunk is asked for, so that device pointers are the same in every run. A hint
// only: sanitizers and crowded processes put it elsewhere.
constexpr uint64_t kFirstChunk = 0x302000000000;
// Where later chunks begin: whole multiples of it, where there is room.
constexpr uint64_t kChunkAlignment = uint64_t{1} << 30;

}  // namespace

AddressRuns::AddressRuns(uint64_t chunk_bytes, uint64_t quarantine_limit,
                         std::function<void(const AddressRun&)> left)
    : chunk_bytes_(chunk_bytes), quarantine_limit_(quarantine_limit), left_(std::move(left)) {}

uint64_t AddressRuns::Take(uint64_t size, uint64_t alignment) {
  if (size == 0) return 0;
  for (;;) {
    if (auto run = Recycled(size, alignment)) return *run;
    if (!chunks_.empty()) {
      const uint64_t base = RoundUp(chunk_next_, alignment);
      if (base < chunks_.back().end() && size <= chunks_.back().end() - base) {
        chunk_next_ = base + size;
        return base;
      }
    }
    const uint64_t wanted = size + (alignment > kGranule ? alignment : 0);
    if (wanted >= size && AddChunk(wanted)) continue;
    if (!EvictOldest()) return 0;
  }
}

void AddressRuns::Quarantine(const AddressRun& run) {
  quarantine_.push_back(run);
  quarantined_bytes_ += run.size;
  while (quarantined_bytes_ > quarantine_limit_ && EvictOldest()) {
  }
}

std::byte* AddressRuns::BackingOf(uint64_t address) const {
  // Newest first: that is where new memory comes from.
  for (auto chunk = chunks_.rbegin(); chunk != chunks_.rend(); ++chunk) {
    if (chunk->Contains(address)) return chunk->Backing(address);
  }
  return nullptr;
}

std::optional<uint64_t> AddressRuns::AddressOf(const std::byte* backing) const {
  const auto behind = reinterpret_cast<uint64_t>(backing);
  for (const AddressSpaceChunk& chunk : chunks_) {
    if (chunk.Contains(behind + chunk.size())) return behind + chunk.size();
  }
  return std::nullopt;
}

void AddressRuns::Discard(uint64_t base, uint64_t size) {
  madvise(BackingOf(base), size, MADV_DONTNEED);
}

uint64_t AddressRuns::reserved_bytes() const {
  uint64_t bytes = 0;
  for (const AddressSpaceChunk& chunk : chunks_) bytes += chunk.size();
  return bytes;
}

std::optional<uint64_t> AddressRuns::Recycled(uint64_t size, uint64_t alignment) {
  for (auto run = recycled_.lower_bound(size); run != recycled_.end(); ++run) {
    const uint64_t base = run->second.back();
    if (base % alignment != 0) continue;
    const uint64_t rest = run->first - size;
    run->second.pop_back();
    if (run->second.empty()) recycled_.erase(run);
    if (rest > 0) recycled_[rest].push_back(base + size);
    return base;
  }
  return std::nullopt;
}

bool AddressRuns::AddChunk(uint64_t size) {
  const uint64_t hint =
      chunks_.empty() ? kFirstChunk : RoundUp(chunks_.back().end(), kChunkAlignment);
  const uint64_t least = RoundUp(size, kGranule);
  auto chunk = AddressSpaceChunk::Reserve(std::max(least, chunk_bytes_), hint);
  if (!chunk) {
    auto smaller = AddressSpaceChunk::Reserve(least, hint);
    if (!smaller) return false;
    chunk.emplace(std::move(*smaller));
  }
  if (!chunks_.empty() && chunk_next_ < chunks_.back().end()) {
    recycled_[chunks_.back().end() - chunk_next_].push_back(chunk_next_);
  }
  chunk_next_ = chunk->base();
  chunks_.push_back(std::move(*chunk));
  return true;
}

bool AddressRuns::EvictOldest() {
  if (quarantine_.empty()) return false;
  const AddressRun run = quarantine_.front();
  quarantine_.pop_front();
  quarantined_bytes_ -= run.size;
  left_(run);
  recycled_[run.size].push_back(run.base);
  return true;
}

}  // namespace culprit::fakedriver
