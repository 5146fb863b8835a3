// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fakedriver/core/capture.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/event.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult Create(CUstream* phStream, unsigned flags, int priority) {
  // As measured, flags are looked at before the context.
  if ((flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  if (phStream == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // CUDA driver API: a priority outside the range is set to the nearest end of it.
  const DeviceDescription& device = context->device().description();
  const int held = std::clamp(priority, device.greatest_priority, device.least_priority);
  const Ref<Stream> stream = Make<Stream>(*context, Stream::Role::kCreated, flags, held);
  *phStream = reinterpret_cast<CUstream>(Register(stream));
  context->AddStream(stream);
  return CUDA_SUCCESS;
}

CUresult Destroy(CUstream hStream) {
  if (hStream == CU_STREAM_LEGACY || hStream == CU_STREAM_PER_THREAD) {
    // As recorded: the context is looked at before the token is refused.
    Context* context = nullptr;
    if (CUresult result = NeedContext(&context)) return result;
  }
  Ref<Stream> stream;
  if (CUresult result = NeedForDestroy(hStream, "hStream", &stream)) return result;
  if (!stream) return CUDA_SUCCESS;
  if (CUresult result = AllowTeardown(*stream, "hStream")) return result;
  Capture::Forget(*stream);
  if (!Unregister(stream))
    return RefuseHandle(Liveness::kDestroyed, stream->record(), hStream, "hStream", true);
  // CUDA driver API: work that is pending goes on; nothing waits for it here.
  stream->context()->RetireStream(*stream);
  return CUDA_SUCCESS;
}

// The event stands for nodes of a capture: the stream joins it.
CUresult WaitForCaptured(Stream& stream, const CapturedPoint& point, unsigned flags) {
  if (point.capture->over()) return CUDA_ERROR_CAPTURED_EVENT;
  if (flags != 0) return CUDA_ERROR_ILLEGAL_STATE;
  if (stream.role() == Stream::Role::kLegacyDefault) {
    point.capture->Spoil();
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (stream.context() != point.capture->origin().context()) {
    point.capture->Spoil();
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  const std::shared_ptr<Capture> own = Capture::Of(stream);
  if (own != nullptr && own != point.capture) {
    own->Spoil();
    point.capture->Spoil();
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  if (point.capture->spoiled()) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  return point.capture->Join(stream, point.nodes);
}

// A capturing stream waits for an event from outside: only as a node, and only when asked for.
CUresult WaitInCapture(Stream& stream, const Ref<Event>& event, unsigned flags) {
  if (flags == CU_EVENT_WAIT_EXTERNAL) return AddToCapture(stream, EventWaitNode(event));
  if (const auto capture = Capture::Of(stream)) capture->Spoil();
  return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
}

template <typename T, typename Read>
CUresult Get(CUstream hStream, T* out, Read read) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = read(*stream);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
  return Create(phStream, Flags, 0);
}

CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
  return Create(phStream, flags, priority);
}

CUresult cuStreamDestroy(CUstream hStream) { return Destroy(hStream); }
CUresult cuStreamDestroy_v2(CUstream hStream) { return Destroy(hStream); }

CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
  return Get(hStream, priority, [](const Stream& stream) { return stream.priority(); });
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  return Get(hStream, flags, [](const Stream& stream) { return stream.flags(); });
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  return Get(hStream, streamId, [](const Stream& stream) { return stream.id(); });
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  return Get(hStream, device,
             [](const Stream& stream) { return stream.context()->device().ordinal(); });
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  return Get(hStream, pctx, [](const Stream& stream) {
    return reinterpret_cast<CUcontext>(stream.context()->handle());
  });
}

CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
  if (CUresult result = handlers::cuStreamGetCtx(hStream, pCtx)) return result;
  if (pGreenCtx != nullptr) *pGreenCtx = nullptr;
  return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream hStream) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (CUresult result = RefuseCapturingStream(*stream)) return result;
  const bool done = Query(*stream);
  if (CUresult error = Driver::Get().sticky_error()) return error;
  return done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamSynchronize(CUstream hStream) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (CUresult result = RefuseCapturingStream(*stream)) return result;
  WaitFor(*stream);
  stream->context()->TakeGivenUp(*stream);
  return Driver::Get().sticky_error();
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  if ((Flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) != 0) return CUDA_ERROR_INVALID_VALUE;
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "hEvent", &event)) return result;
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (const auto captured = event->captured_point())
    return WaitForCaptured(*stream, *captured, Flags);
  if (stream->capturing()) return WaitInCapture(*stream, event, Flags);
  // As recorded: external waits are for captures.
  if (Flags != 0) return CUDA_ERROR_ILLEGAL_STATE;
  HappensBefore::Get().After(*stream, event->before());
  if (Completion point = event->point()) {
    Operation wait;
    wait.predecessors.push_back(std::move(point));
    Enqueue(*stream, std::move(wait));
  }
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
