// SPDX-License-Identifier: Apache-2.0
//
// Stream capture: what is submitted to a capturing stream becomes nodes of a graph instead of work.
// A capture starts on one stream and spreads to others that wait for its events; at the end all of
// them must have been joined to the first again.
//
// While a capture is going on, calls that could hide a dependency are refused and spoil it: the
// mode of the capture and that of the calling thread say for whom.
#ifndef FAKEDRIVER_CORE_CAPTURE_H_
#define FAKEDRIVER_CORE_CAPTURE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/graph.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {

class Capture : public std::enable_shared_from_this<Capture> {
 public:
  // Points in a capture: the nodes that whatever comes next depends on.
  using Frontier = std::vector<Ref<GraphNode>>;

  // Captures into `into`, after the nodes of `after`, or into a new graph.
  static CUresult Begin(Stream& stream, CUstreamCaptureMode mode, Ref<Graph> into, Frontier after);
  // Ends the capture of the stream and gives its graph, registered. On failure it is over just the
  // same, except when the call should have been made for another stream or on another thread.
  static CUresult End(Stream& stream, Ref<Graph>* graph);
  // The capture that the stream takes part in, or null.
  static std::shared_ptr<Capture> Of(Stream& stream);
  // A stream is destroyed: a capture that started there is over, one that came there is spoiled.
  static void Forget(Stream& stream);

  // Adds a node after what the stream has captured so far.
  CUresult Add(Stream& stream, Work work);
  Frontier At(Stream& stream);
  // The stream depends on these nodes as well from now on, and joins the capture if it has not.
  // Replacing drops what it depended on.
  CUresult Join(Stream& stream, const Frontier& nodes, bool replace = false);

  void Spoil() { spoiled_.store(true, std::memory_order_release); }
  bool over() const { return over_.load(std::memory_order_acquire); }
  bool spoiled() const { return spoiled_.load(std::memory_order_acquire); }
  uint64_t id() const { return id_; }
  CUstreamCaptureMode mode() const { return mode_; }
  uint32_t thread() const { return thread_; }
  Graph& graph() const { return *graph_; }
  const Stream& origin() const { return *origin_; }

 private:
  friend void ForgetCaptures();

  Capture(Stream& origin, CUstreamCaptureMode mode, Ref<Graph> graph, bool own);
  bool Joined(const Frontier& end) const;
  void Finish();
  void DropGraph();

  const Ref<Stream> origin_;
  const CUstreamCaptureMode mode_;
  const Ref<Graph> graph_;
  const bool own_graph_;
  const uint64_t id_;
  const uint32_t thread_;
  std::atomic<bool> spoiled_{false};
  std::atomic<bool> over_{false};
  std::mutex mutex_;  // guards what follows
  std::vector<std::pair<Ref<Stream>, Frontier>> streams_;
};

// What an event stands for that was recorded in a capturing stream.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  Capture::Frontier nodes;
};

namespace capture_internal {
extern std::atomic<uint32_t> active;
}

// Whether any capture is going on in the process.
inline bool AnyCapture() { return capture_internal::active.load(std::memory_order_acquire) != 0; }

// A call that a capture may not permit: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, with those captures
// spoiled that forbid it to this thread, or success.
CUresult RefuseDuringCapture();
// The same for work in the legacy default stream of a context whose blocking streams capture.
CUresult RefuseLegacyDuringCapture(Context& context);

// The calling thread's own mode, and its exchange.
CUstreamCaptureMode ExchangeThreadCaptureMode(CUstreamCaptureMode mode);

// Ends all, for a reset.
void ForgetCaptures();

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_CAPTURE_H_
