// SPDX-License-Identifier: Apache-2.0
//
// Work of a stream that calls the program back, on the driver's one thread for that.
#include <chrono>
#include <thread>

#include "fakedriver/core/callback_thread.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

// On a device some time passes before the host hears of work that is done; programs see the
// submitting call return first.
constexpr auto kLatency = std::chrono::microseconds(200);

// What the stream did before is over, and the program may tell its other threads so. What they have
// seen to be over meanwhile is over for what the stream does next.
void CallBack(const std::function<void()>& callback) {
  HappensBefore& order = HappensBefore::Get();
  if (const OrderPoint* place = CurrentPlace()) order.HostKnows(*place->before);
  if (CurrentSettings().policy == Policy::kTimed) std::this_thread::sleep_for(kLatency);
  CallbackThread::Get().Call(callback);
  order.SawOutside();
}

}  // namespace

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (stream->capturing()) return AddToCapture(*stream, HostNode(fn, userData));
  Operation call;
  call.takes_time = true;
  call.body = [fn, userData] {
    CallBack([&] { fn(userData); });
    return CUDA_SUCCESS;
  };
  Enqueue(*stream, std::move(call));
  return CUDA_SUCCESS;
}

// CUDA driver API: unlike a host function, a callback also runs after an error, and is told.
CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData,
                             unsigned int flags) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  // CUDA driver API: callbacks, unlike host functions, cannot be captured.
  if (stream->capturing()) return RefuseCapturingStream(*stream);
  Operation call;
  call.takes_time = true;
  call.after_error = true;
  call.body = [hStream, callback, userData] {
    CallBack([&] { callback(hStream, Driver::Get().sticky_error(), userData); });
    return CUDA_SUCCESS;
  };
  Enqueue(*stream, std::move(call));
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
