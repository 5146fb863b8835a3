// SPDX-License-Identifier: Apache-2.0
//
// The few driver entries that running a kernel takes, from whatever libcuda.so.1 is named. The
// pretend driver and a real one are used alike.
#ifndef FAKEDRIVER_EXEC_VECTORS_DRIVER_H_
#define FAKEDRIVER_EXEC_VECTORS_DRIVER_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace culprit::exec::vectors {

struct Kernel {
  std::string text;   // PTX
  std::string entry;  // parameters: out, then the inputs, then a scratch buffer, all addresses
  unsigned blocks = 1;
  unsigned threads = 128;
  size_t output_words = 0;  // of 64 bits
  size_t scratch_bytes = 0;
  std::vector<std::vector<uint64_t>> inputs;
};

struct Run {
  CUresult result = CUDA_SUCCESS;
  std::string stage;  // the call that failed, or empty
  std::string log;    // what the compiler said, when it refused
  std::vector<uint64_t> output;
};

class Driver {
 public:
  // Null, and the reason in `error`, when the library is missing or has no device.
  static std::unique_ptr<Driver> Open(const std::string& library, std::string* error);
  ~Driver();

  // A failed run leaves the driver usable: its context is replaced.
  Run Execute(const Kernel& kernel);

  std::string device_name() const;
  int version() const;

 private:
  struct Entries;
  Driver() = default;
  bool Renew(std::string* error);
  CUresult Attempt(const Kernel& kernel, Run& run);

  std::unique_ptr<Entries> cuda_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

}  // namespace culprit::exec::vectors

#endif  // FAKEDRIVER_EXEC_VECTORS_DRIVER_H_
