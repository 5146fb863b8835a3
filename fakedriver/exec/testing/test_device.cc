// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/testing/test_device.h"

#include <fstream>
#include <sstream>

namespace culprit::exec::testing {
namespace {

constexpr uint64_t kGranule = 4096;

uint64_t GranuleEnd(uint64_t address) { return (address + kGranule - 1) / kGranule * kGranule; }

}  // namespace

uint64_t TestMemory::Allocate(uint64_t size, bool track_writes) {
  std::lock_guard lock(mutex_);
  uint64_t base = next_;
  next_ = GranuleEnd(base + size) + 16 * kGranule;
  allocations_.push_back({base, size, false, std::vector<std::byte>(size), {}});
  if (track_writes) allocations_.back().written.resize(size);
  return base;
}

void TestMemory::Free(uint64_t address) {
  std::lock_guard lock(mutex_);
  At(address)->freed = true;
}

bool TestMemory::HeapFree(uint64_t address) {
  std::lock_guard lock(mutex_);
  Allocation* allocation = At(address);
  if (allocation == nullptr || allocation->freed || allocation->base != address) return false;
  return allocation->freed = true;
}

TestMemory::Allocation* TestMemory::At(uint64_t address) {
  for (Allocation& allocation : allocations_) {
    if (address >= allocation.base && address < GranuleEnd(allocation.base + allocation.size))
      return &allocation;
  }
  return nullptr;
}

std::byte* TestMemory::HostAddress(uint64_t address) {
  std::lock_guard lock(mutex_);
  Allocation* allocation = At(address);
  return allocation->bytes.data() + (address - allocation->base);
}

MemoryRange TestMemory::Find(uint64_t address) {
  std::lock_guard lock(mutex_);
  MemoryRange range;
  Allocation* allocation = At(address);
  if (allocation == nullptr) return range;
  range.allocation = static_cast<uint64_t>(allocation - &allocations_.front()) + 1;
  range.allocation_base = allocation->base;
  range.allocation_size = allocation->size;
  if (address < allocation->base + allocation->size) {
    range.state = allocation->freed ? RangeState::kFreed : RangeState::kLive;
    range.base = allocation->base;
    range.size = allocation->size;
    range.backing = allocation->bytes.data();
    range.written = allocation->written.empty() ? nullptr : allocation->written.data();
    if (allocation == &allocations_.back()) range.touched = touched_;
  } else {
    range.state = RangeState::kPadding;
    range.base = allocation->base + allocation->size;
    range.size = GranuleEnd(range.base) - range.base;
  }
  return range;
}

bool TestDevice::Load(std::string_view ptx, const LoadOptions& options) {
  LoadResult result = Program::Load(ptx, options);
  program = result.program;
  error = result.error;
  module = {};
  if (!result) return false;
  for (const GlobalInfo& global : program->globals()) {
    module.global_addresses.push_back(memory.Allocate(global.size));
  }
  for (uint32_t n = 0; n < program->globals().size(); ++n) {
    std::vector<std::byte> bytes = program->InitialBytes(n, module);
    if (!bytes.empty())
      std::memcpy(memory.HostAddress(module.global_addresses[n]), bytes.data(), bytes.size());
  }
  return true;
}

bool TestDevice::LoadFile(const std::string& name) { return Load(ReadTestData(name)); }

uint64_t TestDevice::Global(std::string_view name) const {
  return module.global_addresses.at(program->FindGlobal(name).value());
}

LaunchResult TestDevice::Run(std::string_view kernel, Dim3 grid, Dim3 block,
                             const std::vector<std::byte>& arguments,
                             uint32_t dynamic_shared_bytes) {
  LaunchConfig config;
  config.grid = grid;
  config.block = block;
  config.dynamic_shared_bytes = dynamic_shared_bytes;
  config.cooperative = cooperative;
  return Launch(*program, program->FindKernel(kernel).value(), config, arguments, module,
                environment);
}

std::string ReadTestData(const std::string& name) {
  std::ifstream file(std::string(CULPRIT_EXEC_TESTDATA) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace culprit::exec::testing
