// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/resolve.h"

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/capture.h"
#include "fakedriver/core/describe.h"
#include "fakedriver/profile/profile.h"

namespace culprit::fakedriver::handlers {
namespace {

using audit::Rule;

bool PerThreadDefaultStream() {
  const CallInProgress* call = CurrentCall();
  return call != nullptr && call->PerThreadDefaultStream();
}

bool SubmitsOrWaits() {
  const CallInProgress* call = CurrentCall();
  if (call == nullptr) return false;
  const Effect effect = Info(call->api).effect;
  return effect == Effect::kSubmits || effect == Effect::kWaits;
}

// A primary context that was reset while it was retained is current: then handles of what it held
// answer as the context does (recorded), unlike after its last release.
bool ResetContextIsCurrent() {
  const Context* current = CurrentContext();
  return current != nullptr && !current->alive() && current->primary() &&
         current->device().retains() > 0;
}

// What a vendor driver answers for the handle of a dead object. Use after destroy of streams and
// events is undefined there (measured: it crashes or answers one of these two); the others answer
// as measured.
CUresult ResultForDead(const ObjectRecord& record) {
  switch (record.kind) {
    case ObjectKind::kContext:
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    case ObjectKind::kStream:
    case ObjectKind::kEvent:
      return record.died_with_context ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_HANDLE;
    case ObjectKind::kGraph:
    case ObjectKind::kGraphNode:
    case ObjectKind::kGraphExec:
    case ObjectKind::kUserObject:
    case ObjectKind::kPool:
      return CUDA_ERROR_INVALID_VALUE;
    default:
      return record.died_with_context && ResetContextIsCurrent() ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                                                 : CUDA_ERROR_INVALID_HANDLE;
  }
}

Rule RuleForDead(const ObjectRecord& record, bool destroying) {
  if (record.died_with_context) return Rule::kHandleContextGone;
  return destroying ? Rule::kHandleDoubleDestroy : Rule::kHandleDestroyed;
}

}  // namespace

CUresult NeedContext(Context** context) {
  const StackEntry* top = CallingStack().top_entry();
  if (top == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (!top->context->alive()) [[unlikely]] {
    audit::Raise(Rule::kContextDeadCurrent,
                 {.object = Describe(top->context->record()), .handle = top->context->handle()});
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  if (top->epoch != top->context->epoch()) [[unlikely]] {
    audit::Raise(Rule::kContextStaleBinding,
                 {.object = Describe(top->context->record()), .handle = top->context->handle()});
  }
  *context = top->context;
  return CUDA_SUCCESS;
}

CUresult NeedStream(CUstream handle, const char* argument, Ref<Stream>* stream) {
  const bool token =
      handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD;
  if (!token) {
    const CUresult result = Need<Stream>(handle, argument, stream);
    return result == CUDA_SUCCESS ? AllowSubmission(*(*stream)->context()) : result;
  }
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  const bool per_thread =
      handle == CU_STREAM_PER_THREAD || (handle == nullptr && PerThreadDefaultStream());
  *stream = per_thread ? context->per_thread_stream() : Ref<Stream>(&context->legacy_stream());
  if (AnyCapture() && !per_thread && SubmitsOrWaits()) return RefuseLegacyDuringCapture(*context);
  return CUDA_SUCCESS;
}

CUresult RefuseCapturingStream(Stream& stream) {
  if (!AnyCapture()) return CUDA_SUCCESS;
  if (const std::shared_ptr<Capture> capture = Capture::Of(stream)) {
    capture->Spoil();
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return RefuseDuringCapture();
}

Device* DeviceAt(const CUmemLocation& location) {
  if (location.type != CU_MEM_LOCATION_TYPE_DEVICE) return nullptr;
  return Driver::Get().device(location.id);
}

CUresult RefuseHandle(Liveness liveness, const ObjectRecord& record, const void* handle,
                      const char* argument, bool destroying) {
  const auto value = reinterpret_cast<uint64_t>(handle);
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  switch (liveness) {
    case Liveness::kDestroyed:
      audit::Raise(RuleForDead(record, destroying),
                   {.argument = argument, .object = Describe(record), .handle = value});
      return ResultForDead(record);
    case Liveness::kWrongKind:
      audit::Raise(Rule::kHandleWrongKind,
                   {.argument = argument, .object = Describe(record), .handle = value});
      return CUDA_ERROR_INVALID_HANDLE;
    case Liveness::kForeign:
      audit::Raise(Rule::kHandleForeign, {.argument = argument, .handle = value});
      return CUDA_ERROR_INVALID_HANDLE;
    case Liveness::kLive:
      break;
  }
  return CUDA_SUCCESS;
}

CUresult AllowTeardown(const Object& object, const char* argument) {
  const Context* owner = object.context();
  const Context* current = CurrentContext();
  if (owner == nullptr || current == owner) [[likely]] {
    return CUDA_SUCCESS;
  }
  if (current == nullptr) {
    audit::Raise(
        Rule::kContextMissingAtTeardown,
        {.argument = argument, .object = Describe(object.record()), .handle = object.handle()});
  } else {
    audit::Raise(
        Rule::kContextForeignAtTeardown,
        {.argument = argument,
         .object = Describe(object.record()),
         .handle = object.handle(),
         .more = {{"owner", Describe(owner->record())}, {"current", Describe(current->record())}}});
  }
  return profile::Current().teardown_needs_owner ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult AllowSubmission(Context&) {
  if (!profile::Current().submission_needs_context) [[likely]] {
    return CUDA_SUCCESS;
  }
  if (!SubmitsOrWaits()) return CUDA_SUCCESS;
  Context* current = nullptr;
  return NeedContext(&current);
}

}  // namespace culprit::fakedriver::handlers
