// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as PTX: loading gives an error or a program, and every kernel of a program ends within
// its limits.
#include <cstdint>
#include <string_view>

#include "fakedriver/exec/testing/test_device.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace culprit::exec;
  culprit::exec::testing::TestDevice device;
  LoadResult loaded = Program::Load(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!loaded) return 0;
  ModuleState module;
  for (const GlobalInfo& global : loaded.program->globals()) {
    module.global_addresses.push_back(
        device.memory.Allocate(global.size < 65536 ? global.size : 65536));
  }
  device.environment.limits.instructions = 200'000;
  device.environment.limits.nanoseconds = 500'000'000;
  const uint64_t buffer = device.memory.Allocate(4096);
  const std::vector<std::byte> parameters =
      culprit::exec::testing::Pack(buffer, buffer, buffer, buffer);
  LaunchConfig config;
  config.grid = {2, 1, 1};
  config.block = {48, 1, 1};
  for (uint32_t n = 0; n < loaded.program->kernels().size() && n < 8; ++n) {
    if (loaded.program->kernels()[n].static_shared_bytes > 65536) continue;
    Launch(*loaded.program, n, config, parameters, module, device.environment);
  }
  return 0;
}
