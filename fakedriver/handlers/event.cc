// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/event.h"

#include "fakedriver/core/capture.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr unsigned kEventFlags =
    CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

bool AreEventFlags(unsigned flags) {
  if ((flags & ~kEventFlags) != 0) return false;
  // CUDA driver API: an event for other processes must not keep time.
  return (flags & CU_EVENT_INTERPROCESS) == 0 || (flags & CU_EVENT_DISABLE_TIMING) != 0;
}

// An event that stands for a node of a capture has no state to ask for; asking spoils the capture.
CUresult RefuseCapturedEvent(const Event& event) {
  if (const auto captured = event.captured_point()) {
    captured->capture->Spoil();
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  return AnyCapture() ? RefuseDuringCapture() : CUDA_SUCCESS;
}

CUresult Record(CUevent hEvent, CUstream hStream, bool external) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "hEvent", &event)) return result;
  if (stream->context() != event->context()) return CUDA_ERROR_INVALID_HANDLE;
  const std::shared_ptr<Capture> capture = Capture::Of(*stream);
  if (capture == nullptr) {
    // As recorded: external records are for captures.
    if (external) return CUDA_ERROR_ILLEGAL_STATE;
    event->Record(*stream);
    return CUDA_SUCCESS;
  }
  if (external) return capture->Add(*stream, EventRecordNode(event));
  if (capture->spoiled()) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  event->SetCapturedPoint(
      std::make_shared<const CapturedPoint>(CapturedPoint{capture, capture->At(*stream)}));
  return CUDA_SUCCESS;
}

CUresult Destroy(CUevent hEvent) {
  Ref<Event> event;
  if (CUresult result = NeedForDestroy(hEvent, "hEvent", &event)) return result;
  if (!event) return CUDA_SUCCESS;
  if (CUresult result = AllowTeardown(*event, "hEvent")) return result;
  if (!Unregister(event))
    return RefuseHandle(Liveness::kDestroyed, event->record(), hEvent, "hEvent", true);
  return CUDA_SUCCESS;
}

// As measured: whatever is wrong with the arguments is an invalid handle, a null result included.
CUresult ElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  Ref<Event> start;
  Ref<Event> end;
  if (CUresult result = Need<Event>(hStart, "hStart", &start)) return result;
  if (CUresult result = Need<Event>(hEnd, "hEnd", &end)) return result;
  if (pMilliseconds == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (start->context() != end->context()) return CUDA_ERROR_INVALID_HANDLE;
  if (!start->timed() || !end->timed()) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult result = RefuseCapturedEvent(*start)) return result;
  if (CUresult result = RefuseCapturedEvent(*end)) return result;
  if (!start->recorded() || !end->recorded()) return CUDA_ERROR_INVALID_HANDLE;
  HappensBefore& order = HappensBefore::Get();
  Clock over = start->before();
  over.Join(end->before());
  const bool start_reached = Query(start->point());
  const bool end_reached = Query(end->point());
  const bool both = start_reached && end_reached;
  if (both) order.HostKnows(over);
  if (CUresult error = Driver::Get().sticky_error()) return error;
  if (!both) return CUDA_ERROR_NOT_READY;
  const auto nanoseconds = static_cast<int64_t>(end->reached_at() - start->reached_at());
  *pMilliseconds = static_cast<float>(static_cast<double>(nanoseconds) / 1e6);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  if (phEvent == nullptr || !AreEventFlags(Flags)) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<SharedEvent> shared;
  if ((Flags & CU_EVENT_INTERPROCESS) != 0) {
    shared = SharedEvent::Create();
    if (shared == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *phEvent = reinterpret_cast<CUevent>(Register(Make<Event>(*context, Flags, std::move(shared))));
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream) { return Record(hEvent, hStream, false); }

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  if ((flags & ~unsigned{CU_EVENT_RECORD_EXTERNAL}) != 0) return CUDA_ERROR_INVALID_VALUE;
  return Record(hEvent, hStream, flags == CU_EVENT_RECORD_EXTERNAL);
}

CUresult cuEventQuery(CUevent hEvent) {
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "hEvent", &event)) return result;
  if (CUresult result = AllowSubmission(*event->context())) return result;
  if (CUresult result = RefuseCapturedEvent(*event)) return result;
  const Clock over = event->before();
  const bool done = Query(event->point());
  if (done) HappensBefore::Get().HostKnows(over);
  if (CUresult error = Driver::Get().sticky_error()) return error;
  return done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent hEvent) {
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "hEvent", &event)) return result;
  if (CUresult result = AllowSubmission(*event->context())) return result;
  if (CUresult result = RefuseCapturedEvent(*event)) return result;
  const Clock over = event->before();
  WaitFor(event->point());
  HappensBefore::Get().HostKnows(over);
  event->TakeGivenUp();
  return Driver::Get().sticky_error();
}

CUresult cuEventDestroy(CUevent hEvent) { return Destroy(hEvent); }
CUresult cuEventDestroy_v2(CUevent hEvent) { return Destroy(hEvent); }

CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return ElapsedTime(pMilliseconds, hStart, hEnd);
}
CUresult cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return ElapsedTime(pMilliseconds, hStart, hEnd);
}

}  // namespace culprit::fakedriver::handlers
