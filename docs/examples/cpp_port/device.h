// SPDX-License-Identifier: Apache-2.0
//
// The driver and what is owned on a device. Nothing here is released by a destructor: a release can fail, and then
// somebody has to be told and to try again.
#ifndef DIFFERENCE_PORT_DEVICE_H_
#define DIFFERENCE_PORT_DEVICE_H_

#include <culprit_port.h>

#include <cstddef>

using CUcontext = void*;
using CUstream = void*;
using CUmodule = void*;
using CUfunction = void*;
using CUdeviceptr = unsigned long long;

// The entries in use, under the names that the library exports.
struct Driver {
  int (*cuInit)(unsigned);
  int (*cuDevicePrimaryCtxRetain)(CUcontext*, int);
  int (*cuDevicePrimaryCtxRelease_v2)(int);
  int (*cuCtxGetCurrent)(CUcontext*);
  int (*cuCtxPushCurrent_v2)(CUcontext);
  int (*cuCtxPopCurrent_v2)(CUcontext*);
  int (*cuStreamCreate)(CUstream*, unsigned);
  int (*cuStreamSynchronize)(CUstream);
  int (*cuStreamDestroy_v2)(CUstream);
  int (*cuModuleLoadData)(CUmodule*, const void*);
  int (*cuModuleGetFunction)(CUfunction*, CUmodule, const char*);
  int (*cuModuleUnload)(CUmodule);
  int (*cuMemAlloc_v2)(CUdeviceptr*, size_t);
  int (*cuMemFree_v2)(CUdeviceptr);
  int (*cuMemHostAlloc)(void**, size_t, unsigned);
  int (*cuMemFreeHost)(void*);
  int (*cuMemsetD8Async)(CUdeviceptr, unsigned char, size_t, CUstream);
  int (*cuMemcpyHtoDAsync_v2)(CUdeviceptr, const void*, size_t, CUstream);
  int (*cuMemcpyDtoHAsync_v2)(void*, CUdeviceptr, size_t, CUstream);
  int (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**,
                        void**);
};
extern Driver cu;

// The status of one call into the port: the first failure stays.
class Errors {
 public:
  explicit Errors(culprit_status* status) : status_(status) {}
  // Whether the result of a driver entry is success.
  bool Check(int result, const char* entry);
  // Always returns what the call into the port then returns.
  int Refuse(int error, culprit_domain domain, const char* message);
  bool none() const { return status_->error == 0; }
  int error() const { return status_->error; }

 private:
  culprit_status* status_;
};

// Finds libcuda.so.1 and the entries, once. False with a reason in `errors`.
bool LoadDriver(Errors& errors);

// The context is current while this lives, and what was current before is so again afterwards.
class Inside {
 public:
  Inside(CUcontext context, Errors& errors);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  // Whether the context is current. That can be so although entering it reported a failure.
  explicit operator bool() const { return inside_; }

 private:
  CUcontext context_;
  Errors& errors_;
  bool inside_ = false;
  bool pushed_ = false;
};

// A handle that is forgotten only after its release succeeded.
template <typename Handle>
class Owned {
 public:
  Handle* out() { return &handle_; }
  Handle get() const { return handle_; }
  bool open() const { return handle_ != Handle{}; }
  void Close(int (*release)(Handle), const char* entry, Errors& errors) {
    if (open() && errors.Check(release(handle_), entry)) handle_ = Handle{};
  }

 private:
  Handle handle_{};
};

// A context and the stream that work is queued on.
class Device {
 public:
  // With a context of the caller's, that one is borrowed. What was made before a failure waits for Close.
  void Open(CUcontext given, Errors& errors);
  // Stream, then context. What could not be released stays for the next call.
  void Close(Errors& errors);
  // Waits, once: a stream whose destroy failed may be gone and is not touched again but to destroy it.
  bool Quiesce(Errors& errors);
  void WorkWasQueued() { quiet_ = false; }

  CUcontext context() const { return context_; }
  CUstream stream() const { return stream_.get(); }
  bool open() const { return stream_.open() || retained_; }

 private:
  CUcontext context_ = nullptr;
  bool retained_ = false;
  Owned<CUstream> stream_;
  bool quiet_ = true;
};

#endif  // DIFFERENCE_PORT_DEVICE_H_
