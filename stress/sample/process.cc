// SPDX-License-Identifier: Apache-2.0
#include "stress/sample/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace culprit::stress {
namespace {

// Feeds each byte of a file to `see`; false when the file cannot be opened.
template <typename See>
bool ForEachByte(const char* path, See see) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) break;
    for (ssize_t i = 0; i < got; ++i) see(buffer[i]);
  }
  close(fd);
  return true;
}

int64_t ResidentBytes() {
  // statm: total resident shared ..., in pages.
  int field = 0;
  int64_t pages = 0;
  const bool read = ForEachByte("/proc/self/statm", [&](char c) {
    if (c == ' ') ++field;
    if (field == 1 && c >= '0' && c <= '9') pages = 10 * pages + (c - '0');
  });
  return read ? pages * sysconf(_SC_PAGESIZE) : kUnavailable;
}

int64_t Mappings() {
  int64_t lines = 0;
  const bool read = ForEachByte("/proc/self/maps", [&](char c) { lines += c == '\n' ? 1 : 0; });
  return read ? lines : kUnavailable;
}

// Entries of a folder beside "." and "..". readdir would allocate.
int64_t EntriesOf(const char* path, int64_t own) {
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return kUnavailable;
  struct Record {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[1];
  };
  alignas(Record) char buffer[4096];
  int64_t entries = -own;
  for (;;) {
    const long got = syscall(SYS_getdents64, fd, buffer, sizeof buffer);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto* record = reinterpret_cast<const Record*>(buffer + at);
      if (record->name[0] != '.') ++entries;
      at += record->length;
    }
  }
  close(fd);
  return entries;
}

int64_t HeapInUse() {
  const struct mallinfo2 info = mallinfo2();
  const auto used = static_cast<int64_t>(info.uordblks + info.hblkhd);
  // Sanitizers and other allocators answer zeros.
  return used > 0 ? used : kUnavailable;
}

}  // namespace

void ReadProcess(Sample& sample) {
  sample[Resource::kResidentMemory] = ResidentBytes();
  sample[Resource::kHeap] = HeapInUse();
  sample[Resource::kMappings] = Mappings();
  // The descriptor that reads the folder is listed in it.
  sample[Resource::kFileDescriptors] = EntriesOf("/proc/self/fd", 1);
  sample[Resource::kThreads] = EntriesOf("/proc/self/task", 0);
}

}  // namespace culprit::stress
