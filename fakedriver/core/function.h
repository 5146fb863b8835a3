// SPDX-License-Identifier: Apache-2.0
//
// A kernel of a module, as a handle names it, with the attributes a program may set.
#ifndef FAKEDRIVER_CORE_FUNCTION_H_
#define FAKEDRIVER_CORE_FUNCTION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class Module;

// Attributes that cuFuncSetAttribute and cuKernelSetAttribute change.
struct FunctionSettings {
  std::atomic<int> max_dynamic_shared_bytes{-1};  // -1: what is left of 48 KiB
  std::atomic<int> preferred_carveout{-1};
  std::atomic<int> cluster_must_be_set{0};
  std::atomic<int> required_cluster_width{0};
  std::atomic<int> required_cluster_height{0};
  std::atomic<int> required_cluster_depth{0};
  std::atomic<int> non_portable_cluster{0};
  std::atomic<int> cluster_scheduling{0};
  std::atomic<int> cache_config{0};
};

// The launch state of the entries from before CUDA 4: cuFuncSetBlockShape, cuParamSetv and so on.
struct LegacyLaunchState {
  std::mutex mutex;  // guards what follows
  uint32_t block_x = 1;
  uint32_t block_y = 1;
  uint32_t block_z = 1;
  uint32_t shared_bytes = 0;
  uint32_t parameter_bytes = 0;
  std::vector<std::byte> parameters;
};

class Function final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kFunction;

  Function(Context& context, const Ref<Module>& module, uint32_t kernel);
  ~Function() override;

  Module& module() const { return *module_; }
  const Ref<Module>& module_ref() const { return module_; }
  uint32_t kernel() const { return kernel_; }

  FunctionSettings settings;
  LegacyLaunchState legacy;

 private:
  Ref<Module> module_;
  const uint32_t kernel_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_FUNCTION_H_
