// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/host_use.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "suites/runner/block_table.h"

namespace culprit::suites {
namespace {

struct Counters {
  std::atomic<uintptr_t> subject_begin = 0;
  std::atomic<uintptr_t> subject_end = 0;
  std::atomic<bool> heap = false;
  BlockTable blocks;
  std::atomic<int64_t> driver_references = 0;
  std::atomic<void*> driver = nullptr;  // its handle, the same for every opening
  std::atomic<uint64_t> locked_mutexes = 0;
};
constinit Counters counters;

struct Search {
  uintptr_t address;
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

int FindLibrary(dl_phdr_info* info, size_t, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    begin = std::min(begin, info->dlpi_addr + segment.p_vaddr);
    end = std::max(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (search.address < begin || search.address >= end) return 0;
  search.begin = begin;
  search.end = end;
  return 1;
}

}  // namespace

void SetSubjectOfHostUse(const void* address) {
  Search search{reinterpret_cast<uintptr_t>(address)};
  dl_iterate_phdr(&FindLibrary, &search);
  counters.subject_begin = search.begin;
  counters.subject_end = search.end;
}

bool IsSubjectCode(const void* code) {
  const auto address = reinterpret_cast<uintptr_t>(code);
  return address >= counters.subject_begin.load(std::memory_order_relaxed) &&
         address < counters.subject_end.load(std::memory_order_relaxed);
}

void CountHeap(bool on) {
  counters.heap = false;
  if (!on) return;
  counters.blocks.Clear();
  counters.heap = true;
}

HostUse CurrentHostUse() {
  return {counters.driver_references, counters.blocks.blocks(), counters.blocks.bytes(),
          counters.locked_mutexes};
}

}  // namespace culprit::suites

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// The C library's own, below the names that are defined here.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void __libc_free(void* block);
}

namespace {

using culprit::suites::counters;

bool FromSubject(void* caller) { return culprit::suites::IsSubjectCode(caller); }

void NoteBlock(void* block, size_t bytes, void* caller) {
  if (!counters.heap.load(std::memory_order_relaxed)) return;
  if (block != nullptr && FromSubject(caller)) counters.blocks.Add(block, bytes);
}

void ForgetBlock(void* block) {
  if (!counters.heap.load(std::memory_order_relaxed)) return;
  if (block != nullptr) counters.blocks.Remove(block);
}

void* New(size_t bytes, void* caller) {
  while (true) {
    void* block = __libc_malloc(bytes != 0 ? bytes : 1);
    if (block != nullptr) {
      NoteBlock(block, bytes, caller);
      return block;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

bool NamesDriver(const char* file) {
  if (file == nullptr) return false;
  const char* slash = std::strrchr(file, '/');
  return std::strncmp(slash != nullptr ? slash + 1 : file, "libcuda.so", 10) == 0;
}

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define CULPRIT_IN_FRONT __attribute__((visibility("default")))

CULPRIT_IN_FRONT void* operator new(size_t bytes) {
  return New(bytes, __builtin_return_address(0));
}
CULPRIT_IN_FRONT void* operator new[](size_t bytes) {
  return New(bytes, __builtin_return_address(0));
}

extern "C" {

CULPRIT_IN_FRONT void* malloc(size_t bytes) noexcept {
  void* block = __libc_malloc(bytes);
  NoteBlock(block, bytes, __builtin_return_address(0));
  return block;
}

CULPRIT_IN_FRONT void* calloc(size_t count, size_t bytes) noexcept {
  void* block = __libc_calloc(count, bytes);
  NoteBlock(block, count * bytes, __builtin_return_address(0));
  return block;
}

CULPRIT_IN_FRONT void* realloc(void* block, size_t bytes) noexcept {
  ForgetBlock(block);
  void* moved = __libc_realloc(block, bytes);
  NoteBlock(moved, bytes, __builtin_return_address(0));
  return moved;
}

CULPRIT_IN_FRONT void free(void* block) noexcept {
  ForgetBlock(block);
  __libc_free(block);
}

// The loader looks at who called it, for that library's search path: a plain jump keeps the caller.
#if defined(__clang__)
#define CULPRIT_JUMP [[clang::musttail]] return
#define CULPRIT_JUMPS
#else
#define CULPRIT_JUMP return
#define CULPRIT_JUMPS __attribute__((optimize("optimize-sibling-calls")))
#endif

CULPRIT_IN_FRONT CULPRIT_JUMPS void* dlopen(const char* file, int mode) noexcept {
  static const auto next = Next<void* (*)(const char*, int)>("dlopen");
  if (!NamesDriver(file)) CULPRIT_JUMP next(file, mode);
  void* library = next(file, mode);
  if (library != nullptr) {
    counters.driver = library;
    ++counters.driver_references;
  }
  return library;
}

CULPRIT_IN_FRONT int dlclose(void* library) noexcept {
  static const auto next = Next<int (*)(void*)>("dlclose");
  const int closed = next(library);
  if (closed == 0 && library == counters.driver) --counters.driver_references;
  return closed;
}

CULPRIT_IN_FRONT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  static const auto next = Next<int (*)(pthread_mutex_t*)>("pthread_mutex_destroy");
  const int destroyed = next(mutex);
  if (destroyed == EBUSY) ++counters.locked_mutexes;
  return destroyed;
}

}  // extern "C"

#endif
