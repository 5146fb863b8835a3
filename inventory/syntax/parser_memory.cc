// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/parser_memory.h"

#include <tree_sitter/api.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace culprit::inventory {
namespace {

constexpr size_t kGrain = 16;
constexpr size_t kLargestBlock = 1024;  // longer ones are the C library's
constexpr size_t kSlab = 256 * 1024;
[[maybe_unused]] constexpr int kMostKept = 32 << 20;  // what glibc allows at most

// Stands before every block. `bytes` is what the block can hold.
struct alignas(kGrain) Header {
  size_t bytes;
};

struct FreeBlock {
  FreeBlock *next;
};

// Blocks of one thread. Slabs are kept to the end of the process: the next file
// needs as much.
class BlockLists {
 public:
  void *Take(size_t bytes) {
    const size_t list = (bytes + kGrain - 1) / kGrain;
    if (FreeBlock *block = free_[list]) {
      free_[list] = block->next;
      return block;
    }
    const size_t size = sizeof(Header) + list * kGrain;
    if (left_ < size && !AddSlab()) return nullptr;
    auto *header = reinterpret_cast<Header *>(slab_);
    slab_ += size;
    left_ -= size;
    header->bytes = list * kGrain;
    return header + 1;
  }

  void Give(void *memory, size_t bytes) {
    auto *block = static_cast<FreeBlock *>(memory);
    block->next = free_[bytes / kGrain];
    free_[bytes / kGrain] = block;
  }

 private:
  bool AddSlab() {
    slab_ = static_cast<std::byte *>(std::aligned_alloc(kGrain, kSlab));
    left_ = slab_ ? kSlab : 0;
    return slab_ != nullptr;
  }

  std::array<FreeBlock *, kLargestBlock / kGrain + 1> free_{};
  std::byte *slab_ = nullptr;
  size_t left_ = 0;
};

thread_local BlockLists blocks;

Header *HeaderOf(void *memory) { return static_cast<Header *>(memory) - 1; }

void *Allocate(size_t bytes) {
  if (bytes <= kLargestBlock) return blocks.Take(std::max(bytes, kGrain));
  auto *header = static_cast<Header *>(std::malloc(sizeof(Header) + bytes));
  if (!header) return nullptr;
  header->bytes = bytes;
  return header + 1;
}

void *AllocateZeroed(size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
  void *memory = Allocate(count * bytes);
  if (memory) std::memset(memory, 0, count * bytes);
  return memory;
}

void Free(void *memory) {
  if (!memory) return;
  Header *header = HeaderOf(memory);
  if (header->bytes <= kLargestBlock) return blocks.Give(memory, header->bytes);
  std::free(header);
}

void *Reallocate(void *memory, size_t bytes) {
  if (!memory) return Allocate(bytes);
  Header *header = HeaderOf(memory);
  if (bytes <= header->bytes && header->bytes <= kLargestBlock) return memory;
  if (bytes > kLargestBlock && header->bytes > kLargestBlock) {
    auto *grown = static_cast<Header *>(std::realloc(header, sizeof(Header) + bytes));
    if (!grown) return nullptr;
    grown->bytes = bytes;
    return grown + 1;
  }
  void *moved = Allocate(bytes);
  if (!moved) return nullptr;
  std::memcpy(moved, memory, std::min(bytes, header->bytes));
  Free(memory);
  return moved;
}

#if defined(__has_feature)
#define CULPRIT_HAS_FEATURE(feature) __has_feature(feature)
#else
#define CULPRIT_HAS_FEATURE(feature) 0
#endif

constexpr bool kUnderSanitizer =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    CULPRIT_HAS_FEATURE(address_sanitizer) || CULPRIT_HAS_FEATURE(thread_sanitizer)
    true;
#else
    false;
#endif
#undef CULPRIT_HAS_FEATURE

}  // namespace

void InstallParserMemory() {
  static const bool installed = [] {
    if (kUnderSanitizer) return false;
    ts_set_allocator(Allocate, AllocateZeroed, Reallocate, Free);
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, kMostKept);
    mallopt(M_MMAP_THRESHOLD, kMostKept);
#endif
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace culprit::inventory
