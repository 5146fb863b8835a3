// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/decode/code_cache.h"

#include "fakedriver/exec/decode/kernel_lowering.h"

namespace culprit::exec {

CodeCache::CodeCache(const ModuleText& module, const LoweringTable& table)
    : module_(module), table_(table), kernels_(module.entries.size()) {}

const KernelCode& CodeCache::Get(uint32_t index) {
  std::lock_guard lock(mutex_);
  if (kernels_[index] == nullptr)
    kernels_[index] = LowerKernel(module_, module_.entries[index], table_);
  return *kernels_[index];
}

}  // namespace culprit::exec
