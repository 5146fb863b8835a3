// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

#include "stress/driver/driver.h"

namespace culprit::stress {

// Who keeps a context alive while a probe runs.
enum class ContextPlan {
  kPrimaryHeld,  // the session retains the primary context and makes it current
  kOwn,          // the probe makes and drops contexts itself; nothing is current
};

struct SessionPlan {
  std::string driver = "libcuda.so.1";
  int device = 0;
  int devices = 1;  // how many a probe needs, `device` being the first
  ContextPlan context = ContextPlan::kPrimaryHeld;
  int peer = -1;          // socket to a helping process, see ProbeInfo::peer
  std::string port = {};  // library that the port probes load
};

// The driver as one process of a run sees it: loaded, initialised, a device chosen. Readings of
// device memory need some context; where a probe's own ones come and go, the session has another,
// made by cuCtxCreate and current only while a reading is taken, so that the probe's are
// undisturbed. Never closed: the process of a run ends with _exit, and the kernel takes everything
// back.
class Session {
 public:
  static Outcome Open(const SessionPlan& plan, std::unique_ptr<Session>* session);

  // Gives the context back; for processes that look at what is left.
  Outcome Close();

  const Driver& driver() const { return *driver_; }
  CUdevice device(int index = 0) const { return first_device_ + index; }
  // The primary context under kPrimaryHeld, else null.
  CUcontext context() const { return context_; }
  CUcontext observer() const { return observer_; }
  int peer() const { return peer_; }
  const std::string& port() const { return port_; }

  std::string DeviceName() const;
  std::string CudaVersion() const;  // "13.0"

 private:
  Session() = default;

  std::unique_ptr<Driver> driver_;
  CUdevice first_device_ = 0;
  CUcontext context_ = nullptr;
  CUcontext observer_ = nullptr;
  int peer_ = -1;
  std::string port_;
};

}  // namespace culprit::stress
