// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "stress/run/session.h"
#include "stress/run/workload.h"

namespace culprit::stress {

// A workload and how to run it. Registered by name in probes/registry.cc.
struct ProbeInfo {
  std::string_view name = "";     // "module_load"
  std::string_view summary = "";  // one line for --list
  std::string_view object = "";   // what the control loses each cycle: "one module"
  int64_t cycles = 2000;
  int64_t control_cycles = 400;
  ContextPlan context = ContextPlan::kPrimaryHeld;
  int devices = 1;
  // Set before the driver is loaded.
  std::vector<std::pair<const char*, const char*>> environment = {};
  // Device memory that one leaked object holds by the call's own argument; 0 when only the driver
  // knows.
  int64_t planted_device_bytes = 0;
  // Runs in a process of its own, started before the driver is loaded, with one end of a socket
  // whose other end the workload finds in its session. Ends when that end closes.
  void (*peer)(const SessionPlan& plan, int socket) = nullptr;
  std::unique_ptr<Workload> (*make)(Session& session) = nullptr;
};

}  // namespace culprit::stress
