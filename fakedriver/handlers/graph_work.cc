// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/graph_work.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "fakedriver/core/callback_thread.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/timeline.h"
#include "fakedriver/handlers/copy_volume.h"
#include "fakedriver/handlers/graph_object.h"
#include "fakedriver/handlers/not_modelled.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

class EmptyWork final : public NodeWork {
 public:
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EMPTY; }
  CUresult Run() const override { return CUDA_SUCCESS; }
  void Describe(CUgraphNodeParams*) const override {}
};

class HostWork final : public NodeWork {
 public:
  HostWork(CUhostFn function, void* data) : function_(function), data_(data) {}

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }
  bool takes_time() const override { return true; }
  CUresult Run() const override {
    // Nodes of the same launch count as over too, in whatever order they run.
    HappensBefore& order = HappensBefore::Get();
    if (const OrderPoint* place = CurrentPlace()) order.HostKnows(place->Through());
    CallbackThread::Get().Call([this] { function_(data_); });
    order.SawOutside();
    return CUDA_SUCCESS;
  }
  void Describe(CUgraphNodeParams* params) const override {
    params->host.fn = function_;
    params->host.userData = data_;
  }

 private:
  const CUhostFn function_;
  void* const data_;
};

class KernelWork final : public NodeWork {
 public:
  KernelWork(KernelLaunch launch, Context& context)
      : launch_(std::move(launch)), context_(context) {
    for (const exec::Parameter& parameter :
         launch_.module->program().kernels()[launch_.kernel].parameters) {
      arguments_.push_back(launch_.parameters.data() + parameter.offset);
    }
  }

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_KERNEL; }
  bool takes_time() const override { return launch_.module->loaded().takes_time[launch_.kernel]; }
  CUresult Run() const override { return handlers::Run(launch_, context_); }
  void Describe(CUgraphNodeParams* params) const override {
    const exec::LaunchConfig& config = launch_.config;
    params->kernel.func = reinterpret_cast<CUfunction>(launch_.function);
    params->kernel.gridDimX = config.grid.x;
    params->kernel.gridDimY = config.grid.y;
    params->kernel.gridDimZ = config.grid.z;
    params->kernel.blockDimX = config.block.x;
    params->kernel.blockDimY = config.block.y;
    params->kernel.blockDimZ = config.block.z;
    params->kernel.sharedMemBytes = config.dynamic_shared_bytes;
    params->kernel.kernelParams = const_cast<void**>(arguments_.data());
    params->kernel.ctx = reinterpret_cast<CUcontext>(context_.handle());
  }

 private:
  KernelLaunch launch_;
  Context& context_;
  std::vector<void*> arguments_;
};

class TransferWork final : public NodeWork {
 public:
  explicit TransferWork(Transfer transfer) : transfer_(std::move(transfer)) {}

  CUgraphNodeType type() const override {
    return transfer_.fill ? CU_GRAPH_NODE_TYPE_MEMSET : CU_GRAPH_NODE_TYPE_MEMCPY;
  }
  CUresult Run() const override { return PerformIfThere(transfer_); }
  void Describe(CUgraphNodeParams* params) const override {
    if (transfer_.fill) {
      params->memset.dst = transfer_.to.address;
      params->memset.pitch = transfer_.to.block.row_pitch;
      params->memset.value = transfer_.value;
      params->memset.elementSize = transfer_.element;
      params->memset.width = transfer_.extent.width / transfer_.element;
      params->memset.height = transfer_.extent.height;
      return;
    }
    CUDA_MEMCPY3D& copy = params->memcpy.copyParams;
    const CopyOperand& from = transfer_.from;
    const CopyOperand& to = transfer_.to;
    copy.srcMemoryType = from.pageable() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.srcHost = from.pageable() ? reinterpret_cast<const void*>(from.address) : nullptr;
    copy.srcDevice = from.pageable() ? 0 : from.address;
    copy.srcPitch = from.block.row_pitch;
    copy.srcHeight = Height(from.block);
    copy.dstMemoryType = to.pageable() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.dstHost = to.pageable() ? reinterpret_cast<void*>(to.address) : nullptr;
    copy.dstDevice = to.pageable() ? 0 : to.address;
    copy.dstPitch = to.block.row_pitch;
    copy.dstHeight = Height(to.block);
    copy.WidthInBytes = transfer_.extent.width;
    copy.Height = transfer_.extent.height;
    copy.Depth = transfer_.extent.depth;
  }

 private:
  static size_t Height(const Block& block) {
    return block.row_pitch == 0 ? 0 : block.slice_pitch / block.row_pitch;
  }

  const Transfer transfer_;
};

class EventWork final : public NodeWork {
 public:
  EventWork(Ref<Event> event, bool record) : event_(std::move(event)), record_(record) {}

  CUgraphNodeType type() const override {
    return record_ ? CU_GRAPH_NODE_TYPE_EVENT_RECORD : CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  }
  CUresult Run() const override { return CUDA_SUCCESS; }
  void Describe(CUgraphNodeParams* params) const override {
    (record_ ? params->eventRecord.event : params->eventWait.event) =
        reinterpret_cast<CUevent>(event_->handle());
  }
  Event* waits_for() const override { return record_ ? nullptr : event_.get(); }
  Event* records() const override { return record_ ? event_.get() : nullptr; }

 private:
  const Ref<Event> event_;
  const bool record_;
};

class ChildWork final : public NodeWork {
 public:
  explicit ChildWork(Ref<Graph> graph) : graph_(std::move(graph)) {}
  ChildWork(const ChildWork& in_graph, GraphExec::Plan plan)
      : graph_(in_graph.graph_),
        identity_(in_graph.identity_),
        in_exec_(true),
        plan_(std::move(plan)) {}

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_GRAPH; }
  bool takes_time() const override {
    return std::any_of(plan_.steps.begin(), plan_.steps.end(),
                       [](const GraphExec::Step& step) { return step.work->takes_time(); });
  }
  CUresult Run() const override { return RunPlan(plan_); }
  void Describe(CUgraphNodeParams* params) const override {
    params->graph.graph = reinterpret_cast<CUgraph>(graph_->handle());
  }
  Graph* child() const override { return graph_.get(); }
  const GraphPlan* child_plan() const override { return in_exec_ ? &plan_ : nullptr; }
  Work Copy() const override { return ChildNode(*graph_); }
  Work ForExec(const Work&) const override {
    std::optional<GraphExec::Plan> plan = PlanOf(*graph_);
    return plan ? std::make_shared<ChildWork>(*this, *std::move(plan)) : nullptr;
  }
  const void* identity() const override { return identity_.get(); }
  void AddMemory(MemoryOfWork* memory) const override {
    for (const GraphExec::Step& step : plan_.steps) step.work->AddMemory(memory);
    if (in_exec_ || !graph_->moved()) return;
    std::lock_guard lock(graph_->mutex());
    graph_->AddMemory(memory);
  }

 private:
  const Ref<Graph> graph_;
  const std::shared_ptr<const char> identity_ = std::make_shared<char>();
  // The graph may be edited until an executable is made, which has what it was then.
  const bool in_exec_ = false;
  const GraphExec::Plan plan_;
};

class ValuesWork final : public NodeWork {
 public:
  ValuesWork(std::vector<ValueOperation> operations, std::vector<CUstreamBatchMemOpParams> params)
      : operations_(std::move(operations)), params_(std::move(params)) {}

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; }
  bool takes_time() const override { return true; }
  CUresult Run() const override {
    for (const ValueOperation& operation : operations_) {
      while (operation.wait && !operation.Satisfied() && !Timeline::Get().abandoned()) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      operation.wait ? HappensBefore::Get().SawOutside() : operation.Write();
    }
    return CUDA_SUCCESS;
  }
  void Describe(CUgraphNodeParams* params) const override {
    params->memOp.count = static_cast<unsigned>(params_.size());
    params->memOp.paramArray = const_cast<CUstreamBatchMemOpParams*>(params_.data());
  }

 private:
  const std::vector<ValueOperation> operations_;
  const std::vector<CUstreamBatchMemOpParams> params_;
};

CUresult NeedNodeContext(CUcontext handle, Context** context) {
  if (handle == nullptr) return NeedContext(context);
  Liveness liveness;
  *context = Driver::Get().handles().PeekContext(handle, &liveness);
  if (*context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if ((*context)->alive()) return CUDA_SUCCESS;
  return RefuseHandle(Liveness::kDestroyed, (*context)->record(), handle, "ctx", false);
}

CUresult MakeKernel(const CUDA_KERNEL_NODE_PARAMS_v3& params, Work* work) {
  Context* context = nullptr;
  Ref<Function> function;
  const bool by_kernel = params.func == nullptr;
  if (by_kernel && params.kern == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (by_kernel) {
    if (CUresult result = NeedNodeContext(params.ctx, &context)) return result;
    if (CUresult result =
            NeedFunction(reinterpret_cast<CUfunction>(params.kern), "kern", *context, &function)) {
      return result;
    }
  } else if (Found<Function> found = Driver::Get().handles().Find<Function>(params.func)) {
    function = found.object;
    context = function->context();
  } else {
    if (CUresult result = NeedContext(&context)) return result;
    if (CUresult result = NeedFunction(params.func, "func", *context, &function)) return result;
  }
  KernelLaunch launch;
  launch.module = function->module_ref();
  launch.kernel = function->kernel();
  launch.function = function->handle();
  launch.config.grid = {params.gridDimX, params.gridDimY, params.gridDimZ};
  launch.config.block = {params.blockDimX, params.blockDimY, params.blockDimZ};
  launch.config.dynamic_shared_bytes = params.sharedMemBytes;
  if (CUresult result = CheckConfig(*function, launch.config)) return result;
  if (CUresult result =
          CollectParameters(*function, params.kernelParams, params.extra, &launch.parameters)) {
    return result;
  }
  *work = KernelNode(std::move(launch), *context);
  return CUDA_SUCCESS;
}

// As recorded, a node that sets nothing is refused, unlike the call that does.
CUresult MakeMemset(const CUDA_MEMSET_NODE_PARAMS_v2& params, Work* work) {
  Context* context = nullptr;
  if (CUresult result = NeedNodeContext(params.ctx, &context)) return result;
  const bool element =
      params.elementSize == 1 || params.elementSize == 2 || params.elementSize == 4;
  if (params.dst == 0 || params.width == 0 || params.height == 0 || !element ||
      params.dst % params.elementSize != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Transfer transfer{
      .to = {}, .from = {}, .extent = {params.width * params.elementSize, params.height, 1}};
  transfer.fill = true;
  transfer.value = params.value;
  transfer.element = params.elementSize;
  if (params.height > 1 && params.pitch < transfer.extent.width) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = DeviceOperand(params.dst, transfer.extent, {nullptr, params.pitch, 0},
                                      "dst", &transfer.to)) {
    return result;
  }
  *work = TransferNode(std::move(transfer));
  return CUDA_SUCCESS;
}

CUresult MakeMemcpy(const CUDA_MEMCPY3D& params, CUcontext ctx, Work* work) {
  Context* context = nullptr;
  if (CUresult result = NeedNodeContext(ctx, &context)) return result;
  Transfer transfer{.to = {}, .from = {}, .extent = {}};
  if (CUresult result = TranslateCopy(params, context->device(), &transfer)) return result;
  if (transfer.extent.empty()) return CUDA_ERROR_INVALID_VALUE;
  *work = TransferNode(std::move(transfer));
  return CUDA_SUCCESS;
}

CUresult MakeEvent(CUevent handle, bool record, Work* work) {
  Ref<Event> event;
  if (CUresult result = Need<Event>(handle, "event", &event)) return result;
  *work = record ? EventRecordNode(event) : EventWaitNode(event);
  return CUDA_SUCCESS;
}

CUresult MakeValues(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& params, Work* work) {
  if (params.count == 0 || params.paramArray == nullptr || params.flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<ValueOperation> operations;
  const std::vector<CUstreamBatchMemOpParams> batch(params.paramArray,
                                                    params.paramArray + params.count);
  if (CUresult result = TranslateBatch(batch, &operations)) return result;
  *work = ValuesNode(std::move(operations), batch);
  return CUDA_SUCCESS;
}

bool HasInstance(Graph& graph) {
  std::lock_guard lock(graph.mutex());
  return graph.instance() && graph.instance()->alive();
}

CUresult MakeChild(const CUDA_CHILD_GRAPH_NODE_PARAMS& params, Work* work) {
  Ref<Graph> graph;
  if (params.graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = Need<Graph>(params.graph, "childGraph", &graph)) return result;
  switch (params.ownership) {
    case CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE:
      if (HasMemoryNodes(*graph)) return kNotWithMemoryNodes;
      *work = ChildNode(*graph);
      return CUDA_SUCCESS;
    case CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE:
      // CUDA driver API, CUgraphChildGraphNodeOwnership. The result is guessed, and that a graph
      // with an executable is refused.
      if (graph->embedded() || HasInstance(*graph)) return CUDA_ERROR_INVALID_VALUE;
      *work = ChildNode(*graph, true);
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult MakeWork(const CUgraphNodeParams& params, Work* work) {
  switch (params.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return MakeKernel(params.kernel, work);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return MakeMemcpy(params.memcpy.copyParams, params.memcpy.copyCtx, work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return MakeMemset(params.memset, work);
    case CU_GRAPH_NODE_TYPE_HOST:
      if (params.host.fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
      *work = HostNode(params.host.fn, params.host.userData);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return MakeChild(params.graph, work);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      *work = EmptyNode();
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return MakeEvent(params.eventWait.event, false, work);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return MakeEvent(params.eventRecord.event, true, work);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return MakeValues(params.memOp, work);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return NodeTypeNotModelled(params.type);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return CUDA_ERROR_NOT_SUPPORTED;  // what they do cannot be changed (guessed)
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

Work EmptyNode() { return std::make_shared<EmptyWork>(); }
Work HostNode(CUhostFn function, void* data) { return std::make_shared<HostWork>(function, data); }
Work KernelNode(KernelLaunch launch, Context& context) {
  return std::make_shared<KernelWork>(std::move(launch), context);
}
Work TransferNode(Transfer transfer) { return std::make_shared<TransferWork>(std::move(transfer)); }
Work EventRecordNode(const Ref<Event>& event) { return std::make_shared<EventWork>(event, true); }
Work EventWaitNode(const Ref<Event>& event) { return std::make_shared<EventWork>(event, false); }
Work ChildNode(Graph& graph, bool move) {
  Ref<Graph> copy = move ? Ref<Graph>(&graph) : CloneGraph(graph);
  move ? copy->set_moved() : copy->set_embedded();
  return std::make_shared<ChildWork>(std::move(copy));
}
Work ValuesNode(std::vector<ValueOperation> operations,
                std::vector<CUstreamBatchMemOpParams> params) {
  return std::make_shared<ValuesWork>(std::move(operations), std::move(params));
}

CUresult AddToCapture(Stream& stream, Work work) {
  const std::shared_ptr<Capture> capture = Capture::Of(stream);
  return capture == nullptr ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                            : capture->Add(stream, std::move(work));
}

}  // namespace culprit::fakedriver::handlers
