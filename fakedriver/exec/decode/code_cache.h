// SPDX-License-Identifier: Apache-2.0
//
// Kernels lowered so far. A kernel is lowered by the first thread that launches it.
#ifndef FAKEDRIVER_EXEC_DECODE_CODE_CACHE_H_
#define FAKEDRIVER_EXEC_DECODE_CODE_CACHE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/code.h"

namespace culprit::exec {

class CodeCache {
 public:
  CodeCache(const ModuleText& module, const LoweringTable& table);

  // The code of kernel `index`. When lowering fails, a kernel whose `error` says why.
  const KernelCode& Get(uint32_t index);

 private:
  const ModuleText& module_;
  const LoweringTable& table_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<KernelCode>> kernels_;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DECODE_CODE_CACHE_H_
