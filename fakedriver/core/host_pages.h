// SPDX-License-Identifier: Apache-2.0
//
// Pages for pinned and managed memory, which the program's own code reads and writes.
//
// Addresses that were given back are not given out again while the quarantine has room, to nobody
// in the process: a stale host pointer faults, and never means somebody else's new memory.
#ifndef FAKEDRIVER_CORE_HOST_PAGES_H_
#define FAKEDRIVER_CORE_HOST_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace culprit::fakedriver {

class HostPages {
 public:
  static constexpr uint64_t kPage = 4096;

  // Addresses kept aside, in bytes; 0: they are the system's again at once.
  explicit HostPages(uint64_t quarantine_bytes);
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  // A share of what the process may have.
  static uint64_t DefaultQuarantine();

  // Zeros, `bytes` of them, a whole number of pages. One page more follows that nobody may touch:
  // an overrun of more than the last page is seen at once. Null when the system refuses.
  std::byte* Map(uint64_t bytes);
  // What Map gave, and the same number.
  void Unmap(std::byte* pages, uint64_t bytes);

 private:
  struct Range {
    std::byte* pages;
    uint64_t bytes;  // with the page behind
  };

  const uint64_t quarantine_bytes_;
  std::mutex mutex_;  // guards what follows
  std::deque<Range> quarantine_;
  uint64_t quarantined_ = 0;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_HOST_PAGES_H_
