// SPDX-License-Identifier: Apache-2.0
//
// Device memory that one process exports and others open. The bytes are a file (core/shared_file.h)
// that all of them map; a record beside it, shared too, says which processes have it open, so that
// the exporter can tell when it frees under them.
//
// The importing process has one allocation for each block, however often it is opened.
#ifndef FAKEDRIVER_CORE_SHARED_MEMORY_H_
#define FAKEDRIVER_CORE_SHARED_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/shared_file.h"

namespace culprit::fakedriver {

class Context;

// Who has a block open. Openers that have died do not count.
class ExportRecord {
 public:
  // Null when the system refuses.
  static std::shared_ptr<ExportRecord> Create();
  static std::shared_ptr<ExportRecord> Open(const SharedFileName& name);
  explicit ExportRecord(SharedFile file);
  ExportRecord(const ExportRecord&) = delete;
  ExportRecord& operator=(const ExportRecord&) = delete;
  ~ExportRecord();

  SharedFileName name() const { return file_.name(); }
  void Add(int32_t process, int32_t change) const;
  // A living process other than this one that has the block open; 0: none.
  int32_t Opener() const;
  // The exporter has freed the block: nobody may open it any more.
  void Withdraw() const;
  bool withdrawn() const;

 private:
  struct Row {
    std::atomic<int32_t> process;
    std::atomic<int32_t> opens;
  };
  static constexpr uint32_t kRows = 256;  // openers past that are not counted

  SharedFile file_;
  Row* rows_ = nullptr;
};

// What travels in a CUipcMemHandle.
struct SharedMemoryName {
  SharedFileName bytes;
  SharedFileName record;
  uint64_t offset = 0;  // of the first byte in the file
  uint64_t size = 0;
  int32_t device = 0;

  int32_t process() const { return bytes.process; }
};

// Exports the allocation, which nothing may write meanwhile. CUDA_ERROR_OUT_OF_MEMORY when the
// system refuses.
CUresult ExportMemory(Allocation& allocation, SharedMemoryName* name);

// Opens what another process exported, once more or for the first time. As measured on driver 580:
// CUDA_ERROR_INVALID_HANDLE when that process is gone, or when another context of this process has
// the block open; CUDA_ERROR_NOT_PERMITTED when it was freed. CUDA_ERROR_MAP_FAILED without room.
CUresult OpenMemory(Context& context, const SharedMemoryName& name, Ref<Allocation>* allocation);

// One open less; true when it was the last and the caller has to end the allocation.
bool CloseMemory(const Allocation& allocation);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_SHARED_MEMORY_H_
