// SPDX-License-Identifier: Apache-2.0
#include "stress/run/session.h"

#include <fmt/format.h>

#include <array>

namespace culprit::stress {

Outcome Session::Open(const SessionPlan& plan, std::unique_ptr<Session>* out) {
  std::unique_ptr<Session> session(new Session);
  session->peer_ = plan.peer;
  session->port_ = plan.port;
  std::string error;
  session->driver_ = Driver::Load(plan.driver, &error);
  if (!session->driver_) return Outcome::Unsupported(error);
  const Driver& driver = *session->driver_;
  // Whatever keeps a driver from starting is a property of the machine, not a finding.
  if (Outcome init = driver.cuInit(0); !init.ok()) {
    return Outcome::Unsupported("no usable device: " + init.Describe());
  }
  int count = 0;
  if (Outcome counted = driver.cuDeviceGetCount(&count); !counted.ok()) return counted;
  if (plan.device + plan.devices > count) {
    return Outcome::Unsupported(plan.devices > 1
                                    ? fmt::format("needs {} devices from ordinal {} on, found {}",
                                                  plan.devices, plan.device, count)
                                    : fmt::format("no device {}, found {}", plan.device, count));
  }
  if (Outcome got = driver.cuDeviceGet(&session->first_device_, plan.device); !got.ok()) return got;
  if (plan.context == ContextPlan::kPrimaryHeld) {
    if (Outcome held = driver.cuDevicePrimaryCtxRetain(&session->context_, session->first_device_);
        !held.ok()) {
      return held;
    }
    if (Outcome set = driver.cuCtxSetCurrent(session->context_); !set.ok()) return set;
    session->observer_ = session->context_;
  } else {
    if (Outcome made = driver.CreateContext(&session->observer_, 0, session->first_device_);
        !made.ok()) {
      return made;
    }
    CUcontext popped = nullptr;
    if (Outcome left = driver.cuCtxPopCurrent(&popped); !left.ok()) return left;
  }
  *out = std::move(session);
  return {};
}

Outcome Session::Close() {
  if (context_ == nullptr) return driver_->cuCtxDestroy(observer_);
  if (Outcome left = driver_->cuCtxSetCurrent(nullptr); !left.ok()) return left;
  return driver_->cuDevicePrimaryCtxRelease(first_device_);
}

std::string Session::DeviceName() const {
  std::array<char, 256> name{};
  if (!driver_->cuDeviceGetName(name.data(), name.size() - 1, first_device_).ok()) return "unknown";
  return name.data();
}

std::string Session::CudaVersion() const {
  int version = 0;
  if (!driver_->cuDriverGetVersion(&version).ok()) return "unknown";
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace culprit::stress
