// SPDX-License-Identifier: Apache-2.0
#include "stress/probes/registry.h"

#include <algorithm>
#include <array>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

const std::array kProbes{
    &kModuleLoad,
    &kModuleLoadLazy,
    &kModuleLoadEager,
    &kModuleImages,
    &kModuleContexts,
    &kModuleGlobal,
    &kLibrary,
    &kStream,
    &kEvent,
    &kContext,
    &kPrimaryRelease,
    &kPrimaryReset,
    &kDeviceMemory,
    &kDeviceMemorySmall,
    &kPitchedMemory,
    &kPinnedMemory,
    &kRegisteredMemory,
    &kManagedMemory,
    &kAsyncMemory,
    &kMemoryPool,
    &kGraph,
    &kGraphUserObject,
    &kGraphExecUserObject,
    &kTexture,
    &kHostFunction,
    &kIpcMemory,
    &kIpcEvent,
    &kExtractorCycle,
    &kExtractorFaults,
    &kThreadChurn,
    &kThreadExit,
    &kPeerDevices,
    &kPortCycle,
    &kPortFaults,
};

}  // namespace

std::span<const ProbeInfo* const> AllProbes() { return kProbes; }

const ProbeInfo* FindProbe(std::string_view name) {
  const auto found = std::find_if(kProbes.begin(), kProbes.end(),
                                  [&](const ProbeInfo* probe) { return probe->name == name; });
  return found == kProbes.end() ? nullptr : *found;
}

}  // namespace culprit::stress
