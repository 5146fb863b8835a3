// SPDX-License-Identifier: Apache-2.0
//
// From what a caller passes to what it means: the current context, a stream or a default-stream
// token, any other handle. Each answers the CUresult for the handler to return and raises the
// finding when the caller is wrong.
#ifndef FAKEDRIVER_HANDLERS_RESOLVE_H_
#define FAKEDRIVER_HANDLERS_RESOLVE_H_

#include "fakedriver/core/context.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/describe.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver::handlers {

// The calling thread's current context, which must be alive: otherwise CUDA_ERROR_INVALID_CONTEXT
// (none) or CUDA_ERROR_CONTEXT_IS_DESTROYED.
CUresult NeedContext(Context** context);

// An explicit stream, or the default stream that a null handle or a token means in this call; those
// need a context. `argument` is the parameter's name, for the finding.
CUresult NeedStream(CUstream handle, const char* argument, Ref<Stream>* stream);

// The device that a location of memory names, or null.
Device* DeviceAt(const CUmemLocation& location);

// What to answer for a handle that is not a live object of the wanted kind; raises the finding.
// `destroying`: the call would have ended the object.
CUresult RefuseHandle(Liveness liveness, const ObjectRecord& record, const void* handle,
                      const char* argument, bool destroying);

// Looks up a handle of type T::kKind.
template <typename T>
CUresult Need(const void* handle, const char* argument, Ref<T>* object) {
  Found<T> found = Driver::Get().handles().Find<T>(handle);
  if (!found) return RefuseHandle(found.liveness, found.record, handle, argument, false);
  *object = std::move(found.object);
  return CUDA_SUCCESS;
}

// The same for a call that ends the object: a second destroy is named as such, and one that follows
// a failed destroy whose effect took place succeeds without finding (then *object stays null and
// the call is over).
template <typename T>
CUresult NeedForDestroy(const void* handle, const char* argument, Ref<T>* object) {
  HandleTable& handles = Driver::Get().handles();
  Found<T> found = handles.Find<T>(handle);
  if (!found) {
    if (handles.TakeAmbiguous(reinterpret_cast<uint64_t>(handle))) return CUDA_SUCCESS;
    return RefuseHandle(found.liveness, found.record, handle, argument, true);
  }
  *object = std::move(found.object);
  return CUDA_SUCCESS;
}

// Before an object is torn down: raises context.missing_at_teardown or context.foreign_at_teardown,
// and lets the profile decide. Handlers return what this returns unless it is success.
CUresult AllowTeardown(const Object& object, const char* argument);

// A call that cannot be captured was made for a stream: spoils its capture, if it has one, and
// those that forbid the call to this thread.
CUresult RefuseCapturingStream(Stream& stream);

// Before work is queued on, or a wait is made for, an explicit stream or event of `owner`.
CUresult AllowSubmission(Context& owner);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_RESOLVE_H_
