// SPDX-License-Identifier: Apache-2.0
// A graph of one memset, instantiated, launched and destroyed, with a user object that keeps a host
// block alive for as long as the graph, or the executable made of it. The controls lose the
// executable, or graph and user object.
#include <cstdlib>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kBytes = 4096;
constexpr size_t kPayload = 512;

class GraphBase : public Workload {
 public:
  using Workload::Workload;

  Outcome Setup() override {
    if (Outcome made = driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING); !made.ok()) {
      return made;
    }
    return driver().cuMemAlloc(&memory_, kBytes);
  }
  Outcome Teardown() override {
    if (Outcome freed = driver().cuMemFree(memory_); !freed.ok()) return freed;
    return driver().cuStreamDestroy(stream_);
  }

 protected:
  Outcome CreateGraph() {
    if (Outcome made = driver().cuGraphCreate(&graph_, 0); !made.ok()) return made;
    CUDA_MEMSET_NODE_PARAMS memset{};
    memset.dst = memory_;
    memset.elementSize = 1;
    memset.width = kBytes;
    memset.height = 1;
    CUgraphNode node = nullptr;
    return driver().cuGraphAddMemsetNode(&node, graph_, nullptr, 0, &memset, session().context());
  }
  Outcome DestroyGraph() { return driver().cuGraphDestroy(graph_); }

  CUstream stream_ = nullptr;
  CUdeviceptr memory_ = 0;
  CUgraph graph_ = nullptr;
};

class Graph final : public GraphBase {
 public:
  explicit Graph(Session& session) : GraphBase(session) {
    const size_t graph = AddPair(
        "cuGraphCreate", [this] { return CreateGraph(); }, "cuGraphDestroy",
        [this] { return DestroyGraph(); });
    SetControl(AddPair(
        "cuGraphInstantiate",
        [this] {
          Outcome made = driver().cuGraphInstantiate(&executable_, graph_, 0);
          if (!made.ok()) return made;
          if (Outcome ran = driver().cuGraphLaunch(executable_, stream_); !ran.ok()) return ran;
          return driver().cuStreamSynchronize(stream_);
        },
        "cuGraphExecDestroy", [this] { return driver().cuGraphExecDestroy(executable_); },
        {graph}));
  }

 private:
  CUgraphExec executable_ = nullptr;
};

// A graph that owns a host block through a user object.
class OwningGraph : public GraphBase {
 public:
  explicit OwningGraph(Session& session) : GraphBase(session) {
    graph_pair_ = AddPair(
        "cuGraphCreate and cuGraphRetainUserObject",
        [this] {
          if (Outcome made = CreateGraph(); !made.ok()) return made;
          CUuserObject object = nullptr;
          Outcome wrapped = driver().cuUserObjectCreate(&object, std::malloc(kPayload), std::free,
                                                        1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
          if (!wrapped.ok()) return wrapped;
          return driver().cuGraphRetainUserObject(graph_, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
        },
        "cuGraphDestroy", [this] { return DestroyGraph(); });
  }

 protected:
  size_t graph_pair_ = 0;
};

class GraphUserObject final : public OwningGraph {
 public:
  using OwningGraph::OwningGraph;
};

// The executable graph shares the object: the block lives until both are gone.
class GraphExecUserObject final : public OwningGraph {
 public:
  explicit GraphExecUserObject(Session& session) : OwningGraph(session) {
    SetControl(AddPair(
        "cuGraphInstantiate",
        [this] { return driver().cuGraphInstantiate(&executable_, graph_, 0); },
        "cuGraphExecDestroy", [this] { return driver().cuGraphExecDestroy(executable_); },
        {graph_pair_}));
  }

 private:
  CUgraphExec executable_ = nullptr;
};

}  // namespace

const ProbeInfo kGraph{
    .name = "graph",
    .summary = "create, instantiate, launch and destroy a graph",
    .object = "one executable graph",
    .control_cycles = 1000,
    .make = MakeWorkload<Graph>,
};

const ProbeInfo kGraphUserObject{
    .name = "graph_user_object",
    .summary = "create and destroy a graph that owns a user object",
    .object = "one graph with its user object",
    .control_cycles = 1000,
    .make = MakeWorkload<GraphUserObject>,
};

const ProbeInfo kGraphExecUserObject{
    .name = "graph_exec_user_object",
    .summary = "the same, instantiated, so that two graphs own the user object",
    .object = "one executable graph with its share in a user object",
    .control_cycles = 1000,
    .make = MakeWorkload<GraphExecUserObject>,
};

}  // namespace culprit::stress
