// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/capture.h"

#include <algorithm>
#include <unordered_set>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/gate.h"

namespace culprit::fakedriver {

namespace capture_internal {
std::atomic<uint32_t> active{0};
}

namespace {

using capture_internal::active;

std::atomic<uint64_t> last_capture_id{0};
thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> going;

  static Captures& Get() {
    static Captures* captures = new Captures;
    return *captures;
  }
};

void SetActive(size_t count) {
  active.store(static_cast<uint32_t>(count), std::memory_order_release);
  RefreshGate();
}

bool Forbids(const Capture& capture) {
  const bool mine = capture.thread() == ThisThread().ordinal;
  if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
  switch (capture.mode()) {
    case CU_STREAM_CAPTURE_MODE_GLOBAL:
      return mine || thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    case CU_STREAM_CAPTURE_MODE_THREAD_LOCAL:
      return mine;
    default:
      return false;
  }
}

void Merge(Capture::Frontier& into, const Capture::Frontier& nodes) {
  for (const Ref<GraphNode>& node : nodes) {
    const bool known = std::any_of(into.begin(), into.end(), [&](const Ref<GraphNode>& other) {
      return other.get() == node.get();
    });
    if (!known) into.push_back(node);
  }
}

}  // namespace

Capture::Capture(Stream& origin, CUstreamCaptureMode mode, Ref<Graph> graph, bool own)
    : origin_(&origin),
      mode_(mode),
      graph_(std::move(graph)),
      own_graph_(own),
      id_(last_capture_id.fetch_add(1, std::memory_order_relaxed) + 1),
      thread_(ThisThread().ordinal) {}

CUresult Capture::Begin(Stream& stream, CUstreamCaptureMode mode, Ref<Graph> into, Frontier after) {
  if (stream.role() == Stream::Role::kLegacyDefault) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  if (Of(stream) != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  const bool own = !into;
  std::shared_ptr<Capture> capture(
      new Capture(stream, mode, own ? Make<Graph>() : std::move(into), own));
  if (own) Driver::Get().handles().Insert(capture->graph_);
  capture->streams_.emplace_back(Ref<Stream>(&stream), std::move(after));
  stream.set_capture(capture);
  Captures& captures = Captures::Get();
  std::lock_guard lock(captures.mutex);
  captures.going.push_back(capture);
  SetActive(captures.going.size());
  return CUDA_SUCCESS;
}

CUresult Capture::End(Stream& stream, Ref<Graph>* graph) {
  const std::shared_ptr<Capture> capture = Of(stream);
  if (capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  if (capture->spoiled()) {
    capture->Finish();
    capture->DropGraph();
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  if (&capture->origin() != &stream) {
    capture->Spoil();
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  if (capture->mode_ != CU_STREAM_CAPTURE_MODE_RELAXED &&
      capture->thread_ != ThisThread().ordinal) {
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  }
  const bool joined = capture->Joined(capture->At(stream));
  capture->Finish();
  if (!joined) {
    capture->DropGraph();
    return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  }
  *graph = capture->graph_;
  if (capture->own_graph_) {
    (*graph)->record().created = RecordOfCall();
    RegisterWithoutCell(*graph, (*graph)->handle());
  }
  return CUDA_SUCCESS;
}

std::shared_ptr<Capture> Capture::Of(Stream& stream) { return stream.capture(); }

void Capture::Forget(Stream& stream) {
  const std::shared_ptr<Capture> capture = Of(stream);
  if (capture == nullptr) return;
  capture->Spoil();
  if (&capture->origin() == &stream) {
    capture->Finish();
    capture->DropGraph();
    return;
  }
  stream.set_capture(nullptr);
  std::lock_guard lock(capture->mutex_);
  std::erase_if(capture->streams_, [&](const auto& held) { return held.first.get() == &stream; });
}

CUresult Capture::Add(Stream& stream, Work work) {
  if (spoiled()) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  std::lock_guard lock(mutex_);
  for (auto& [member, frontier] : streams_) {
    if (member.get() != &stream) continue;
    std::vector<GraphNode::Edge> edges;
    for (const Ref<GraphNode>& node : frontier) {
      if (node->alive()) edges.push_back({node.get(), {}});
    }
    std::lock_guard graph_lock(graph_->mutex());
    frontier = {Ref<GraphNode>(&graph_->Add(std::move(work), edges))};
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

Capture::Frontier Capture::At(Stream& stream) {
  std::lock_guard lock(mutex_);
  for (const auto& [member, frontier] : streams_) {
    if (member.get() == &stream) return frontier;
  }
  return {};
}

CUresult Capture::Join(Stream& stream, const Frontier& nodes, bool replace) {
  std::lock_guard lock(mutex_);
  for (auto& [member, frontier] : streams_) {
    if (member.get() != &stream) continue;
    if (replace) frontier.clear();
    Merge(frontier, nodes);
    return CUDA_SUCCESS;
  }
  streams_.emplace_back(Ref<Stream>(&stream), nodes);
  stream.set_capture(shared_from_this());
  return CUDA_SUCCESS;
}

// Joined: every stream's last nodes are behind the end of the first stream.
bool Capture::Joined(const Frontier& end) const {
  std::lock_guard lock(graph_->mutex());
  std::unordered_set<const GraphNode*> before;
  std::vector<const GraphNode*> open;
  for (const Ref<GraphNode>& node : end) {
    before.insert(node.get());
    open.push_back(node.get());
  }
  while (!open.empty()) {
    const GraphNode* node = open.back();
    open.pop_back();
    for (const GraphNode::Edge& edge : node->dependencies()) {
      if (before.insert(edge.from).second) open.push_back(edge.from);
    }
  }
  return std::all_of(streams_.begin(), streams_.end(), [&](const auto& member) {
    return std::all_of(member.second.begin(), member.second.end(),
                       [&](const Ref<GraphNode>& node) { return before.count(node.get()) != 0; });
  });
}

void Capture::Finish() {
  over_.store(true, std::memory_order_release);
  {
    std::lock_guard lock(mutex_);
    for (const auto& [stream, frontier] : streams_) stream->set_capture(nullptr);
  }
  Captures& captures = Captures::Get();
  std::lock_guard lock(captures.mutex);
  std::erase_if(captures.going, [&](const auto& capture) { return capture.get() == this; });
  SetActive(captures.going.size());
}

// Nobody will get the graph.
void Capture::DropGraph() {
  if (!own_graph_) return;
  DestroyGraph(graph_);
  Driver::Get().handles().Remove(graph_);
}

CUresult RefuseDuringCapture() {
  Captures& captures = Captures::Get();
  std::lock_guard lock(captures.mutex);
  bool refused = false;
  for (const auto& capture : captures.going) {
    if (!Forbids(*capture)) continue;
    capture->Spoil();
    refused = true;
  }
  if (!refused) return CUDA_SUCCESS;
  audit::Raise(audit::Rule::kStreamSynchronizeInCapture);
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult RefuseLegacyDuringCapture(Context& context) {
  Captures& captures = Captures::Get();
  std::lock_guard lock(captures.mutex);
  bool refused = false;
  for (const auto& capture : captures.going) {
    if (capture->origin().context() != &context || !capture->origin().blocking()) continue;
    capture->Spoil();
    refused = true;
  }
  if (!refused) return CUDA_SUCCESS;
  audit::Raise(audit::Rule::kStreamSynchronizeInCapture);
  return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

CUstreamCaptureMode ExchangeThreadCaptureMode(CUstreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

void ForgetCaptures() {
  Captures& captures = Captures::Get();
  std::vector<std::shared_ptr<Capture>> going;
  {
    std::lock_guard lock(captures.mutex);
    going.swap(captures.going);
  }
  // Streams hold their capture, which holds them.
  for (const std::shared_ptr<Capture>& capture : going) capture->Finish();
  std::lock_guard lock(captures.mutex);
  SetActive(captures.going.size());
}

}  // namespace culprit::fakedriver
