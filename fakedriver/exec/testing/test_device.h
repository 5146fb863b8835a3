// SPDX-License-Identifier: Apache-2.0
//
// A small device for tests of the machine: memory with gaps between allocations, a clock that
// advances when it is read, and a module loaded into it.
#ifndef FAKEDRIVER_EXEC_TESTING_TEST_DEVICE_H_
#define FAKEDRIVER_EXEC_TESTING_TEST_DEVICE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fakedriver/exec/device_memory.h"
#include "fakedriver/exec/launch.h"
#include "fakedriver/exec/program.h"

namespace culprit::exec::testing {

class TestMemory : public DeviceMemory {
 public:
  // Addresses grow; after each allocation the rest of a 4096-byte granule is padding, and then a
  // gap is unmapped.
  uint64_t Allocate(uint64_t size, bool track_writes = false);
  void Free(uint64_t address);
  // Where launches note what they touch of the newest allocation.
  void NoteTouched(TouchedBits bits) { touched_ = bits; }

  std::byte* HostAddress(uint64_t address);

  template <typename T>
  uint64_t Upload(const std::vector<T>& values) {
    uint64_t address = Allocate(values.size() * sizeof(T));
    std::memcpy(HostAddress(address), values.data(), values.size() * sizeof(T));
    return address;
  }
  template <typename T>
  std::vector<T> Download(uint64_t address, size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), HostAddress(address), count * sizeof(T));
    return values;
  }

  MemoryRange Find(uint64_t address) override;
  uint64_t HeapAllocate(uint64_t size) override { return Allocate(size); }
  bool HeapFree(uint64_t address) override;

 private:
  struct Allocation {
    uint64_t base;
    uint64_t size;
    bool freed;
    std::vector<std::byte> bytes;
    std::vector<uint8_t> written;
  };
  Allocation* At(uint64_t address);

  std::mutex mutex_;
  std::deque<Allocation> allocations_;
  TouchedBits touched_;
  uint64_t next_ = 0x1000'0000'0000;
};

class TestClock : public DeviceClock {
 public:
  uint64_t Cycles() override { return cycles_ += 100; }
  uint64_t Nanoseconds() override { return cycles_ += 100; }
  void Sleep(uint64_t nanoseconds) override { cycles_ += nanoseconds; }

 private:
  std::atomic<uint64_t> cycles_{1000};
};

// The parameter buffer of a kernel, values at their natural alignment.
class Arguments {
 public:
  template <typename T>
  Arguments& Add(const T& value) {
    size_t at = (bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    bytes_.resize(at + sizeof(T));
    std::memcpy(&bytes_[at], &value, sizeof(T));
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

template <typename... T>
std::vector<std::byte> Pack(const T&... values) {
  Arguments arguments;
  (arguments.Add(values), ...);
  return arguments.bytes();
}

class TestDevice {
 public:
  TestDevice() : environment(memory, clock) {
    environment.print = [this](std::string_view text) { printed += text; };
  }

  // Replaces the module; its variables are allocated and filled. False leaves `error`.
  bool Load(std::string_view ptx, const LoadOptions& options = {});
  bool LoadFile(const std::string& name);  // from testdata/
  uint64_t Global(std::string_view name) const;

  LaunchResult Run(std::string_view kernel, Dim3 grid, Dim3 block,
                   const std::vector<std::byte>& arguments, uint32_t dynamic_shared_bytes = 0);

  TestMemory memory;
  TestClock clock;
  Environment environment;
  std::shared_ptr<const Program> program;
  ModuleState module;
  LoadError error;
  std::string printed;
  bool cooperative = false;  // launches from now on
};

// The whole file testdata/`name`.
std::string ReadTestData(const std::string& name);

}  // namespace culprit::exec::testing

#endif  // FAKEDRIVER_EXEC_TESTING_TEST_DEVICE_H_
