// SPDX-License-Identifier: Apache-2.0
//
// Graphs. A node's work is an immutable value that graphs, clones and executables share; changing a
// node puts another value in its place. An executable is a snapshot of a graph in an order that its
// edges allow, and runs as one operation of a stream.
#ifndef FAKEDRIVER_CORE_GRAPH_H_
#define FAKEDRIVER_CORE_GRAPH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "fakedriver/core/event.h"
#include "fakedriver/core/object.h"
#include "fakedriver/core/stream.h"
#include "fakedriver/core/user_object.h"

namespace culprit::fakedriver {

class Graph;
class GraphExec;
class GraphMemory;
struct GraphPlan;

// Memory that work allocates and frees, in order.
struct MemoryOfWork {
  std::vector<Ref<GraphMemory>> allocated;
  std::vector<Ref<GraphMemory>> freed;

  bool empty() const { return allocated.empty() && freed.empty(); }
};

// What a node does.
class NodeWork {
 public:
  virtual ~NodeWork() = default;
  virtual CUgraphNodeType type() const = 0;
  // Does it once, on this thread. Anything but success is a device error.
  virtual CUresult Run() const = 0;
  // As the API's parameter structure; pointers in it stay valid as long as the work.
  virtual void Describe(CUgraphNodeParams* params) const = 0;

  // It sleeps, spins, calls the host or waits.
  virtual bool takes_time() const { return false; }
  // Event nodes: what the launch waits for, and what it records.
  virtual Event* waits_for() const { return nullptr; }
  virtual Event* records() const { return nullptr; }
  // Child graph nodes.
  virtual Graph* child() const { return nullptr; }
  // Those of an executable: what it has of the child graph.
  virtual const GraphPlan* child_plan() const { return nullptr; }
  // What a copy of the graph does instead, where the two cannot share it. Null: they can.
  virtual std::shared_ptr<const NodeWork> Copy() const { return nullptr; }
  // What an executable made now does; null when it cannot be made. `self` is this work.
  virtual std::shared_ptr<const NodeWork> ForExec(
      const std::shared_ptr<const NodeWork>& self) const {
    return self;
  }
  // Equal for the work of one node, in its graph and in executables.
  virtual const void* identity() const { return this; }
  // Memory nodes, and child graphs that have some: adds theirs.
  virtual void AddMemory(MemoryOfWork*) const {}
};
using Work = std::shared_ptr<const NodeWork>;

// It has memory nodes in it.
bool HasMemory(const NodeWork& work);

class GraphNode final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kGraphNode;

  struct Edge {
    GraphNode* from;
    CUgraphEdgeData data;
  };

  GraphNode(Graph& graph, Work work)
      : Object(kKind, nullptr), graph_(graph), work_(std::move(work)) {}

  Graph& graph() const { return graph_; }

  // Everything below is guarded by the graph.
  const Work& work() const { return work_; }
  Work exchange_work(Work work) { return std::exchange(work_, std::move(work)); }
  std::vector<Edge>& dependencies() { return dependencies_; }
  const std::vector<Edge>& dependencies() const { return dependencies_; }
  // The node of another graph that this one is a copy of.
  uint64_t original() const { return original_; }
  void set_original(uint64_t handle) { original_ = handle; }
  std::map<int, CUlaunchAttributeValue>& attributes() { return attributes_; }

 private:
  Graph& graph_;
  Work work_;
  std::vector<Edge> dependencies_;
  std::map<int, CUlaunchAttributeValue> attributes_;
  uint64_t original_ = 0;
};

class Graph final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kGraph;

  Graph() : Object(kKind, nullptr) {}
  ~Graph() override;

  std::mutex& mutex() { return mutex_; }

  // Everything below needs the lock.
  const std::vector<Ref<GraphNode>>& nodes() const { return nodes_; }
  GraphNode& Add(Work work, const std::vector<GraphNode::Edge>& dependencies);
  void Remove(GraphNode& node);
  // Indices into nodes(), dependencies first; nothing when there is a cycle. Memory comes as late
  // and goes as early as the edges permit, so that a use that lacks an edge meets none.
  std::optional<std::vector<uint32_t>> Order() const;

  UserObjectReferences& user_objects() { return user_objects_; }

  // That of all nodes.
  void AddMemory(MemoryOfWork* memory) const;
  // Whether memory nodes are in it or in its child graphs: much cannot be done with it then.
  bool HasMemoryNodes() const;
  // Each node that frees memory of this graph's own comes after the one that allocates it, child
  // graphs included.
  bool FreesAfterAllocating() const;
  // The last executable made from it, where it has memory nodes.
  const Ref<GraphExec>& instance() const { return instance_; }
  void set_instance(Ref<GraphExec> exec);

  // Part of a child graph node: it cannot be destroyed by itself.
  bool embedded() const { return embedded_; }
  void set_embedded() { embedded_ = true; }
  // It was given to that node, and is no copy.
  bool moved() const { return moved_; }
  void set_moved() { embedded_ = moved_ = true; }

 private:
  std::mutex mutex_;
  std::vector<Ref<GraphNode>> nodes_;
  UserObjectReferences user_objects_;
  Ref<GraphExec> instance_;
  std::atomic<bool> embedded_{false};
  std::atomic<bool> moved_{false};
};

// Whether `other` is among the child graphs of `graph`, at any depth. Takes their locks in turn.
bool HasInside(Graph& graph, const Graph& other);
// A registered copy, with copies of the child graphs. Takes the locks of the original and of those.
Ref<Graph> CloneGraph(Graph& original);
// Ends a graph: its nodes go with their child graphs, its references to user objects are given
// back.
void DestroyGraph(const Ref<Graph>& graph);
// Ends the child graph, if there is one, of work that no node has. Without locks.
void EndChildOf(const NodeWork& work);

struct GraphStep {
  uint64_t node = 0;   // handle in the graph it was made from
  uint32_t place = 0;  // among that graph's nodes as they were added
  Work work;
  std::vector<uint32_t> after;  // indices of steps
  bool enabled = true;
};

// What an executable has of one graph.
struct GraphPlan {
  std::vector<GraphStep> steps;
  // That of all steps; null: none. Nothing that changes one step changes it.
  std::shared_ptr<const MemoryOfWork> memory;
  // What that one graph held; the work of its child graphs has theirs. Null: nothing.
  std::shared_ptr<const SharedUserObjects> user_objects;
};

class GraphExec final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kGraphExec;

  using Step = GraphStep;
  using Plan = GraphPlan;

  GraphExec(Context& context, uint64_t flags, Plan plan)
      : Object(kKind, &context), flags_(flags), plan_(std::make_shared<Plan>(std::move(plan))) {}
  ~GraphExec() override;

  uint64_t flags() const { return flags_; }
  std::shared_ptr<const Plan> plan() const;
  // Changes one step; false when no step is of that node. `change` sees a copy, launches in flight
  // keep theirs.
  template <typename Change>
  bool ChangeStep(uint64_t node, Change change) {
    std::shared_ptr<Plan> plan;  // in the end one that is not needed, which goes without the lock
    std::lock_guard lock(mutex_);
    plan = std::make_shared<Plan>(*plan_);
    for (Step& step : plan->steps) {
      if (step.node != node) continue;
      if (change(step)) plan_.swap(plan);
      return true;
    }
    return false;
  }
  void Replace(Plan plan);
  // It will not be launched again: what it holds goes with the launches in flight.
  void DropPlan() { Replace({}); }

  // As recorded, where nothing in it works in a context. A device hangs when an executable that
  // does is destroyed after its context.
  bool OutlivesContext() const override;
  // That its references to user objects go with the context is guessed.
  void OnContextGone() override { DropPlan(); }

  // Queues one launch of a plan of this executable, behind `predecessors` and with `run` doing the
  // work. Launches of one executable follow each other.
  Completion Launch(Stream& stream, const std::shared_ptr<const Plan>& plan,
                    std::vector<Completion> predecessors, std::function<CUresult()> run);

 private:
  const uint64_t flags_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<Plan> plan_;
  Completion last_launch_;
  Clock before_next_;  // the end of that launch (core/happens_before.h)
};

// The steps of a graph as it is now, child graphs included; nothing when there is a cycle. Takes
// the graph's lock, and those of its child graphs.
std::optional<GraphExec::Plan> PlanOf(Graph& graph);

// Runs the steps of a plan in order, on this thread.
CUresult RunPlan(const GraphExec::Plan& plan);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_GRAPH_H_
