// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/shared_memory.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <tuple>
#include <utility>

#include "fakedriver/core/context.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/life.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {
namespace {

bool Lives(int32_t process) { return kill(process, 0) == 0 || errno == EPERM; }

// The bytes as mapped here, with addresses to name them by.
class ImportedBlock final : public Object {
 public:
  // Null when the process has no room.
  static Ref<ImportedBlock> Make(const SharedFile& file, std::shared_ptr<ExportRecord> record,
                                 uint64_t offset, uint64_t size) {
    std::byte* bytes = file.Map();
    if (bytes == nullptr) return nullptr;
    // The same place within a granule as in the exporting process.
    const uint64_t span = RoundUp(offset % kGranule + size, kGranule);
    const uint64_t base = Memory::Get().addresses().Reserve(span, kGranule);
    if (base == 0) {
      munmap(bytes, file.size());
      return nullptr;
    }
    return Ref<ImportedBlock>(new ImportedBlock(bytes, file.size(), base, span, std::move(record)));
  }

  ~ImportedBlock() override {
    record_->Add(getpid(), -opens_);
    munmap(bytes_, mapped_);
    if (life_ == DriverLife()) Memory::Get().addresses().Unreserve(base_, span_);
  }

  std::byte* first_byte() { return bytes_; }
  uint64_t base() const { return base_; }
  // Only with the lock of the imports.
  void Opened() {
    ++opens_;
    record_->Add(getpid(), 1);
  }
  bool ClosedLast() {
    --opens_;
    record_->Add(getpid(), -1);
    return opens_ == 0;
  }

 private:
  ImportedBlock(std::byte* bytes, uint64_t mapped, uint64_t base, uint64_t span,
                std::shared_ptr<ExportRecord> record)
      : Object(ObjectKind::kOther, nullptr),
        bytes_(bytes),
        mapped_(mapped),
        base_(base),
        span_(span),
        record_(std::move(record)),
        life_(DriverLife()) {}

  std::byte* const bytes_;
  const uint64_t mapped_;
  const uint64_t base_;
  const uint64_t span_;
  const std::shared_ptr<ExportRecord> record_;
  const uint64_t life_;
  int32_t opens_ = 0;
};

// What this process has open.
class Imports {
 public:
  static Imports& Get() {
    static Imports* imports = new Imports;
    return *imports;
  }

  CUresult Open(Context& context, const SharedMemoryName& name, Ref<Allocation>* allocation) {
    std::lock_guard lock(mutex_);
    if (std::exchange(life_, DriverLife()) != DriverLife()) open_.clear();
    const Key key{name.process(), name.bytes.inode, name.offset};
    Ref<Allocation> known = open_[key];
    Ref<Object> block = known && known->alive() ? known->parent() : nullptr;
    if (block && known->context() != &context) return CUDA_ERROR_INVALID_HANDLE;
    if (!block) {
      if (CUresult result = OpenFirst(context, name, &known)) return result;
      block = known->parent();
      open_[key] = known;
    }
    static_cast<ImportedBlock&>(*block).Opened();
    *allocation = std::move(known);
    return CUDA_SUCCESS;
  }

  bool Close(const Allocation& allocation) {
    std::lock_guard lock(mutex_);
    const Ref<Object> block = allocation.parent();
    return block && static_cast<ImportedBlock&>(*block).ClosedLast();
  }

 private:
  using Key = std::tuple<int32_t, uint64_t, uint64_t>;  // process, file, offset

  static CUresult OpenFirst(Context& context, const SharedMemoryName& name,
                            Ref<Allocation>* allocation) {
    std::shared_ptr<ExportRecord> record = ExportRecord::Open(name.record);
    if (record == nullptr) {
      return Lives(name.process()) ? CUDA_ERROR_NOT_PERMITTED : CUDA_ERROR_INVALID_HANDLE;
    }
    if (record->withdrawn()) return CUDA_ERROR_NOT_PERMITTED;
    const SharedFile file = SharedFile::Open(name.bytes);
    if (!file || name.size > file.size() || name.offset > file.size() - name.size) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    Ref<ImportedBlock> block = ImportedBlock::Make(file, std::move(record), name.offset, name.size);
    if (!block) return CUDA_ERROR_MAP_FAILED;
    auto made = Make<Allocation>(MemoryKind::kImported, &context, name.device, name.size);
    made->SetPlace(block->base() + name.offset % kGranule, block->first_byte() + name.offset);
    made->set_parent(block);
    Memory::Get().addresses().Add(made);
    RegisterWithoutCell(made, made->base());
    *allocation = std::move(made);
    return CUDA_SUCCESS;
  }

  std::mutex mutex_;  // guards what follows
  uint64_t life_ = 0;
  std::map<Key, Ref<Allocation>> open_;  // dead ones too, until they are opened again
};

}  // namespace

ExportRecord::ExportRecord(SharedFile file)
    : file_(std::move(file)), rows_(reinterpret_cast<Row*>(file_.Map())) {}

ExportRecord::~ExportRecord() {
  if (rows_ != nullptr) munmap(rows_, file_.size());
}

std::shared_ptr<ExportRecord> ExportRecord::Create() {
  auto record = std::make_shared<ExportRecord>(SharedFile::Create(kRows * sizeof(Row)));
  return record->rows_ != nullptr ? record : nullptr;
}

std::shared_ptr<ExportRecord> ExportRecord::Open(const SharedFileName& name) {
  SharedFile file = SharedFile::Open(name);
  if (!file || file.size() != kRows * sizeof(Row)) return nullptr;
  auto record = std::make_shared<ExportRecord>(std::move(file));
  return record->rows_ != nullptr ? record : nullptr;
}

void ExportRecord::Add(int32_t process, int32_t change) const {
  for (uint32_t i = 1; i < kRows; ++i) {
    int32_t owner = 0;
    const bool taken = rows_[i].process.compare_exchange_strong(owner, process);
    if (!taken && owner != process) continue;
    rows_[i].opens.fetch_add(change);
    return;
  }
}

// The first row is the exporter's: its count says that the block was freed.
void ExportRecord::Withdraw() const { rows_[0].opens.store(1); }
bool ExportRecord::withdrawn() const { return rows_[0].opens.load() != 0; }

int32_t ExportRecord::Opener() const {
  for (uint32_t i = 1; i < kRows; ++i) {
    const int32_t process = rows_[i].process.load();
    if (process == 0) return 0;
    if (process != getpid() && rows_[i].opens.load() > 0 && Lives(process)) return process;
  }
  return 0;
}

CUresult ExportMemory(Allocation& allocation, SharedMemoryName* name) {
  const auto shared = Memory::Get().addresses().Share(allocation.base());
  if (!shared) return CUDA_ERROR_OUT_OF_MEMORY;
  std::shared_ptr<const ExportRecord> record = allocation.exported();
  if (record == nullptr) {
    record = ExportRecord::Create();
    if (record == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    allocation.set_exported(record);
  }
  // Whoever opens it may write it.
  allocation.MarkWritten(allocation.base(), allocation.size());
  *name = {.bytes = shared->file,
           .record = record->name(),
           .offset = shared->offset,
           .size = allocation.size(),
           .device = allocation.device()};
  return CUDA_SUCCESS;
}

CUresult OpenMemory(Context& context, const SharedMemoryName& name, Ref<Allocation>* allocation) {
  return Imports::Get().Open(context, name, allocation);
}

bool CloseMemory(const Allocation& allocation) { return Imports::Get().Close(allocation); }

}  // namespace culprit::fakedriver
