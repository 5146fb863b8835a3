// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/host_pages.h"

#include <sys/mman.h>

#include <algorithm>

#include "fakedriver/core/address_space_limit.h"

namespace culprit::fakedriver {
namespace {

// The system bounds the mappings of a process (65,530 by default): most are the program's.
constexpr size_t kMostRanges = 4096;

}  // namespace

HostPages::HostPages(uint64_t quarantine_bytes) : quarantine_bytes_(quarantine_bytes) {}

HostPages::~HostPages() {
  for (const Range& range : quarantine_) munmap(range.pages, range.bytes);
}

uint64_t HostPages::DefaultQuarantine() {
  return std::min(AddressSpaceLimit() / 32, uint64_t{1} << 30);
}

std::byte* HostPages::Map(uint64_t bytes) {
  void* pages = mmap(nullptr, bytes + kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (mprotect(pages, bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(pages, bytes + kPage);
    return nullptr;
  }
  return static_cast<std::byte*>(pages);
}

void HostPages::Unmap(std::byte* pages, uint64_t bytes) {
  const Range range{pages, bytes + kPage};
  // In the place of the pages, so that no other thread gets the addresses in between.
  const bool kept = range.bytes <= quarantine_bytes_ &&
                    mmap(pages, range.bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == pages;
  if (!kept) {
    munmap(pages, range.bytes);
    return;
  }
  std::lock_guard lock(mutex_);
  quarantine_.push_back(range);
  quarantined_ += range.bytes;
  while (quarantined_ > quarantine_bytes_ || quarantine_.size() > kMostRanges) {
    const Range oldest = quarantine_.front();
    quarantine_.pop_front();
    quarantined_ -= oldest.bytes;
    munmap(oldest.pages, oldest.bytes);
  }
}

}  // namespace culprit::fakedriver
