// SPDX-License-Identifier: Apache-2.0
// Every probe, declared once. A new probe is a file that defines its info, a line here and a line
// in registry.cc.
#pragma once

#include <memory>

#include "stress/run/probe.h"

namespace culprit::stress {

template <typename Subject>
std::unique_ptr<Workload> MakeWorkload(Session& session) {
  return std::make_unique<Subject>(session);
}

extern const ProbeInfo kModuleLoad;
extern const ProbeInfo kModuleLoadLazy;
extern const ProbeInfo kModuleLoadEager;
extern const ProbeInfo kModuleImages;
extern const ProbeInfo kModuleContexts;
extern const ProbeInfo kModuleGlobal;
extern const ProbeInfo kLibrary;
extern const ProbeInfo kStream;
extern const ProbeInfo kEvent;
extern const ProbeInfo kContext;
extern const ProbeInfo kPrimaryRelease;
extern const ProbeInfo kPrimaryReset;
extern const ProbeInfo kDeviceMemory;
extern const ProbeInfo kDeviceMemorySmall;
extern const ProbeInfo kPitchedMemory;
extern const ProbeInfo kPinnedMemory;
extern const ProbeInfo kRegisteredMemory;
extern const ProbeInfo kManagedMemory;
extern const ProbeInfo kAsyncMemory;
extern const ProbeInfo kMemoryPool;
extern const ProbeInfo kGraph;
extern const ProbeInfo kGraphUserObject;
extern const ProbeInfo kGraphExecUserObject;
extern const ProbeInfo kTexture;
extern const ProbeInfo kHostFunction;
extern const ProbeInfo kIpcMemory;
extern const ProbeInfo kIpcEvent;
extern const ProbeInfo kExtractorCycle;
extern const ProbeInfo kExtractorFaults;
extern const ProbeInfo kThreadChurn;
extern const ProbeInfo kThreadExit;
extern const ProbeInfo kPeerDevices;
extern const ProbeInfo kPortCycle;
extern const ProbeInfo kPortFaults;

}  // namespace culprit::stress
