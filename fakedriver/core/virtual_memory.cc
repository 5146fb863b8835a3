// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/virtual_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/last_not_above.h"
#include "fakedriver/core/life.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {
namespace {

std::byte* MapShared(int file, uint64_t size) {
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

// A file of that size without a name; -1 without one.
int AnonymousFile(uint64_t size) {
  const int file = memfd_create("culprit-device-memory", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (ftruncate(file, static_cast<off_t>(size)) == 0) return file;
  close(file);
  return -1;
}

}  // namespace

PhysicalMemory::PhysicalMemory(const Device& device, uint64_t size, std::byte* backing, int file,
                               bool charged)
    : Object(ObjectKind::kPhysical, nullptr),
      device_(device),
      size_(size),
      backing_(backing),
      file_(file),
      charged_(charged),
      life_(DriverLife()) {}

Ref<PhysicalMemory> PhysicalMemory::Create(const Device& device, uint64_t size, bool shareable) {
  Memory& memory = Memory::Get();
  if (memory.Charge(device, size, size) != CUDA_SUCCESS) return nullptr;
  const int file = shareable ? AnonymousFile(size) : -1;
  std::byte* backing = nullptr;
  if (!shareable) {
    backing = memory.addresses().TakeBacking(size);
  } else if (file >= 0) {
    backing = MapShared(file, size);
  }
  if (backing == nullptr) {
    if (file >= 0) close(file);
    memory.Discharge(device.ordinal(), size, size);
    return nullptr;
  }
  return Ref<PhysicalMemory>(new PhysicalMemory(device, size, backing, file, true));
}

Ref<PhysicalMemory> PhysicalMemory::Import(const Device& device, int file) {
  struct stat about {};
  std::byte* backing = nullptr;
  if (fstat(file, &about) == 0 && about.st_size > 0) {
    backing = MapShared(file, static_cast<uint64_t>(about.st_size));
  }
  if (backing == nullptr) return nullptr;
  return Ref<PhysicalMemory>(
      new PhysicalMemory(device, static_cast<uint64_t>(about.st_size), backing, file, false));
}

PhysicalMemory::~PhysicalMemory() {
  if (file_ >= 0) {
    munmap(backing_, size_);
    close(file_);
  }
  if (life_ != DriverLife()) return;  // the memory it was part of is gone
  Memory& memory = Memory::Get();
  if (file_ < 0) memory.addresses().ReturnBacking(backing_, size_);
  if (charged_) memory.Discharge(device_.ordinal(), size_, size_);
}

bool Reservation::Whole(uint64_t address, uint64_t size,
                        std::vector<std::pair<uint64_t, Mapping*>>* inside) {
  for (auto& [base, mapping] : mappings_) {
    if (base >= address + size || base + mapping.size <= address) continue;
    if (base < address || base + mapping.size > address + size) return false;
    inside->emplace_back(base, &mapping);
  }
  return true;
}

bool Reservation::Map(uint64_t address, uint64_t size, const Ref<PhysicalMemory>& memory,
                      uint64_t offset) {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<uint64_t, Mapping*>> inside;
  if (!Whole(address, size, &inside) || !inside.empty()) return false;
  mappings_[address] = {size, memory, offset, CU_MEM_ACCESS_FLAGS_PROT_NONE, nullptr};
  return true;
}

bool Reservation::Unmap(uint64_t address, uint64_t size, std::vector<Ref<Allocation>>* removed) {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<uint64_t, Mapping*>> inside;
  if (!Whole(address, size, &inside)) return false;
  for (const auto& [base, mapping] : inside) {
    if (mapping->accessible) removed->push_back(mapping->accessible);
    mappings_.erase(base);
  }
  return true;
}

std::vector<Ref<Allocation>> Reservation::Accessible(uint64_t address, uint64_t size) const {
  std::lock_guard lock(mutex_);
  std::vector<Ref<Allocation>> all;
  for (const auto& [base, mapping] : mappings_) {
    const bool inside = base >= address && base + mapping.size <= address + size;
    if (inside && mapping.accessible) all.push_back(mapping.accessible);
  }
  return all;
}

bool Reservation::empty() const {
  std::lock_guard lock(mutex_);
  return mappings_.empty();
}

bool Reservation::SetAccess(uint64_t address, uint64_t size, unsigned flags) {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<uint64_t, Mapping*>> inside;
  if (!Whole(address, size, &inside)) return false;
  uint64_t covered = 0;
  for (const auto& [base, mapping] : inside) covered += mapping->size;
  if (covered != size) return false;
  AddressSpace& addresses = Memory::Get().addresses();
  for (const auto& [base, mapping] : inside) {
    mapping->access = flags;
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
      if (mapping->accessible && Unregister(mapping->accessible)) {
        Memory::Get().Release(*mapping->accessible);
      }
      mapping->accessible = nullptr;
      continue;
    }
    if (!mapping->accessible) {
      const PhysicalMemory& memory = *mapping->memory;
      auto accessible =
          Make<Allocation>(MemoryKind::kMapped, nullptr, memory.device().ordinal(), mapping->size);
      accessible->SetPlace(base, memory.backing() + mapping->offset);
      accessible->set_parent(mapping->memory);
      addresses.Add(accessible);
      RegisterWithoutCell(accessible, base);
      mapping->accessible = std::move(accessible);
    }
    mapping->accessible->read_only = flags == CU_MEM_ACCESS_FLAGS_PROT_READ;
  }
  return true;
}

unsigned Reservation::AccessAt(uint64_t address) const {
  std::lock_guard lock(mutex_);
  for (const auto& [base, mapping] : mappings_) {
    if (address - base < mapping.size) return mapping.access;
  }
  return CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

Ref<PhysicalMemory> Reservation::MemoryAt(uint64_t address) const {
  std::lock_guard lock(mutex_);
  for (const auto& [base, mapping] : mappings_) {
    if (address - base < mapping.size) return mapping.memory;
  }
  return nullptr;
}

Reservations& Reservations::Get() {
  static Reservations* reservations = new Reservations;
  return *reservations;
}

Ref<Reservation> Reservations::Reserve(uint64_t size, uint64_t alignment) {
  const uint64_t base = Memory::Get().addresses().Reserve(size, alignment);
  if (base == 0) return nullptr;
  auto reservation = Make<Reservation>(base, size);
  std::lock_guard lock(mutex_);
  if (std::exchange(life_, DriverLife()) != DriverLife()) by_base_.clear();
  by_base_[base] = reservation;
  return reservation;
}

Ref<Reservation> Reservations::Find(uint64_t address) const {
  std::lock_guard lock(mutex_);
  const auto found = LastNotAbove(by_base_, address);
  if (life_ != DriverLife() || found == by_base_.end()) return nullptr;
  const Ref<Reservation>& reservation = found->second;
  return reservation->Contains(address, 1) ? reservation : nullptr;
}

void Reservations::Release(const Ref<Reservation>& reservation) {
  {
    std::lock_guard lock(mutex_);
    by_base_.erase(reservation->base());
  }
  Memory::Get().addresses().Unreserve(reservation->base(), reservation->size());
}

}  // namespace culprit::fakedriver
