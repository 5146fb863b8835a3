// SPDX-License-Identifier: Apache-2.0
//
// Events over all the work of a context.
#include "fakedriver/core/driver.h"
#include "fakedriver/core/event.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

// As recorded: null is no context here, not the current one.
CUresult NeedNamedContext(CUcontext handle, Context** context) {
  Liveness liveness;
  *context = Driver::Get().handles().PeekContext(handle, &liveness);
  if (*context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if ((*context)->alive()) return CUDA_SUCCESS;
  return RefuseHandle(Liveness::kDestroyed, (*context)->record(), handle, "hCtx", false);
}

}  // namespace

CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent) {
  Context* context = nullptr;
  if (CUresult result = NeedNamedContext(hCtx, &context)) return result;
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "hEvent", &event)) return result;
  if (event->context() != context) return CUDA_ERROR_INVALID_HANDLE;
  // A stream of its own collects the ends of all others.
  const Ref<Stream> collector =
      Make<Stream>(*context, Stream::Role::kCreated, unsigned{CU_STREAM_NON_BLOCKING}, 0);
  Operation operation;
  for (const Ref<Stream>& stream : context->streams()) {
    if (Completion end = stream->tail()) operation.predecessors.push_back(std::move(end));
  }
  HappensBefore& order = HappensBefore::Get();
  order.After(*collector, order.EndOf(*context));
  event->Record(*collector, std::move(operation));
  order.StreamGoes(*collector);
  context->KeepUntilDone(collector);
  return CUDA_SUCCESS;
}

CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent) {
  Context* context = nullptr;
  if (CUresult result = NeedNamedContext(hCtx, &context)) return result;
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "hEvent", &event)) return result;
  HappensBefore::Get().After(*context, event->before());
  if (Completion point = event->point()) context->AddBarrier(std::move(point));
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
