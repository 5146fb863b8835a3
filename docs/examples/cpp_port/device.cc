// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <dlfcn.h>

#include <cerrno>
#include <cstdio>

Driver cu;

bool Errors::Check(int result, const char* entry) {
  if (result == 0) return true;
  if (!none()) return false;
  status_->error = -EIO;
  status_->domain = CULPRIT_DOMAIN_DRIVER;
  status_->cu_result = result;
  std::snprintf(status_->entry, sizeof(status_->entry), "%s", entry);
  std::snprintf(status_->message, sizeof(status_->message), "%s failed with %d", entry, result);
  return false;
}

int Errors::Refuse(int error, culprit_domain domain, const char* message) {
  if (none()) {
    status_->error = error;
    status_->domain = domain;
    std::snprintf(status_->message, sizeof(status_->message), "%s", message);
  }
  return status_->error;
}

bool LoadDriver(Errors& errors) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    errors.Refuse(-ENOENT, CULPRIT_DOMAIN_HOST, "there is no libcuda.so.1");
    return false;
  }
  const auto find = [&]<typename Function>(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) errors.Refuse(-ENOSYS, CULPRIT_DOMAIN_HOST, name);
  };
#define FIND(entry) find(cu.entry, #entry)
  FIND(cuInit);
  FIND(cuDevicePrimaryCtxRetain);
  FIND(cuDevicePrimaryCtxRelease_v2);
  FIND(cuCtxGetCurrent);
  FIND(cuCtxPushCurrent_v2);
  FIND(cuCtxPopCurrent_v2);
  FIND(cuStreamCreate);
  FIND(cuStreamSynchronize);
  FIND(cuStreamDestroy_v2);
  FIND(cuModuleLoadData);
  FIND(cuModuleGetFunction);
  FIND(cuModuleUnload);
  FIND(cuMemAlloc_v2);
  FIND(cuMemFree_v2);
  FIND(cuMemHostAlloc);
  FIND(cuMemFreeHost);
  FIND(cuMemsetD8Async);
  FIND(cuMemcpyHtoDAsync_v2);
  FIND(cuMemcpyDtoHAsync_v2);
  FIND(cuLaunchKernel);
#undef FIND
  return errors.none();
}

Inside::Inside(CUcontext context, Errors& errors) : context_(context), errors_(errors) {
  CUcontext current = nullptr;
  if (!errors.Check(cu.cuCtxGetCurrent(&current), "cuCtxGetCurrent")) return;
  // Where it is current already, nothing is pushed: a pop that failed could not be told from one that did not.
  if (current != context) {
    const int pushed = cu.cuCtxPushCurrent_v2(context);
    // A push that failed may have had its effect all the same.
    pushed_ = errors.Check(pushed, "cuCtxPushCurrent_v2") || (cu.cuCtxGetCurrent(&current) == 0 && current == context);
    if (!pushed_) return;
  }
  inside_ = true;
}

Inside::~Inside() {
  if (!pushed_) return;
  CUcontext popped = nullptr;
  const int first = cu.cuCtxPopCurrent_v2(&popped);
  if (first == 0) return;
  // It may have popped all the same; only what is still there is popped once more.
  CUcontext current = nullptr;
  int asked = cu.cuCtxGetCurrent(&current);
  if (asked != 0) asked = cu.cuCtxGetCurrent(&current);
  if (asked == 0 && (current != context_ || cu.cuCtxPopCurrent_v2(&popped) == 0)) return;
  errors_.Check(first, "cuCtxPopCurrent_v2");
}

void Device::Open(CUcontext given, Errors& errors) {
  if (!errors.Check(cu.cuInit(0), "cuInit")) return;
  context_ = given;
  if (given == nullptr) {
    retained_ = errors.Check(cu.cuDevicePrimaryCtxRetain(&context_, 0), "cuDevicePrimaryCtxRetain");
    if (!retained_) return;
  }
  const Inside inside(context_, errors);
  if (errors.none()) errors.Check(cu.cuStreamCreate(stream_.out(), 0), "cuStreamCreate");
}

bool Device::Quiesce(Errors& errors) {
  if (!quiet_) quiet_ = errors.Check(cu.cuStreamSynchronize(stream()), "cuStreamSynchronize");
  return quiet_;
}

void Device::Close(Errors& errors) {
  if (stream_.open()) {
    const Inside inside(context_, errors);
    if (inside && Quiesce(errors)) stream_.Close(cu.cuStreamDestroy_v2, "cuStreamDestroy_v2", errors);
  }
  if (stream_.open() || !retained_) return;
  retained_ = !errors.Check(cu.cuDevicePrimaryCtxRelease_v2(0), "cuDevicePrimaryCtxRelease_v2");
}
