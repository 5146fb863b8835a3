// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/graph.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/core/user_object.h"

namespace culprit::fakedriver {
namespace {

bool ComesAfter(const GraphNode& node, const GraphNode& earlier) {
  std::unordered_set<const GraphNode*> seen{&node};
  std::vector<const GraphNode*> open{&node};
  while (!open.empty()) {
    const GraphNode* one = open.back();
    open.pop_back();
    if (one == &earlier) return true;
    for (const GraphNode::Edge& edge : one->dependencies()) {
      if (seen.insert(edge.from).second) open.push_back(edge.from);
    }
  }
  return false;
}

}  // namespace

bool HasMemory(const NodeWork& work) {
  MemoryOfWork memory;
  work.AddMemory(&memory);
  return !memory.empty();
}

Graph::~Graph() = default;
GraphExec::~GraphExec() = default;

GraphNode& Graph::Add(Work work, const std::vector<GraphNode::Edge>& dependencies) {
  const Ref<GraphNode> node = Make<GraphNode>(*this, std::move(work));
  node->dependencies() = dependencies;
  Driver::Get().handles().Insert(node);
  nodes_.push_back(node);
  return *node;
}

void Graph::Remove(GraphNode& node) {
  for (const Ref<GraphNode>& other : nodes_) {
    std::erase_if(other->dependencies(),
                  [&](const GraphNode::Edge& edge) { return edge.from == &node; });
  }
  const Ref<GraphNode> keep(&node);
  std::erase_if(nodes_, [&](const Ref<GraphNode>& other) { return other.get() == &node; });
  Driver::Get().handles().Remove(keep);
}

std::optional<std::vector<uint32_t>> Graph::Order() const {
  std::unordered_map<const GraphNode*, uint32_t> index;
  for (uint32_t i = 0; i < nodes_.size(); ++i) index[nodes_[i].get()] = i;
  std::vector<uint32_t> missing(nodes_.size());
  std::vector<std::vector<uint32_t>> dependents(nodes_.size());
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const GraphNode::Edge& edge : nodes_[i]->dependencies()) {
      dependents[index.at(edge.from)].push_back(i);
      ++missing[i];
    }
  }
  // What frees, what does neither, what allocates.
  std::array<std::deque<uint32_t>, 3> ready;
  const auto add = [&](uint32_t i) {
    const CUgraphNodeType type = nodes_[i]->work()->type();
    ready[type == CU_GRAPH_NODE_TYPE_MEM_FREE    ? 0
          : type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ? 2
                                                 : 1]
        .push_back(i);
  };
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (missing[i] == 0) add(i);
  }
  std::vector<uint32_t> order;
  order.reserve(nodes_.size());
  for (;;) {
    const auto next =
        std::find_if(ready.begin(), ready.end(), [](const auto& queue) { return !queue.empty(); });
    if (next == ready.end()) break;
    order.push_back(next->front());
    next->pop_front();
    for (const uint32_t dependent : dependents[order.back()]) {
      if (--missing[dependent] == 0) add(dependent);
    }
  }
  if (order.size() != nodes_.size()) return std::nullopt;
  return order;
}

void Graph::AddMemory(MemoryOfWork* memory) const {
  for (const Ref<GraphNode>& node : nodes_) node->work()->AddMemory(memory);
}

bool Graph::HasMemoryNodes() const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [](const Ref<GraphNode>& node) { return HasMemory(*node->work()); });
}

bool Graph::FreesAfterAllocating() const {
  std::unordered_map<const GraphMemory*, const GraphNode*> allocated_by;
  for (const Ref<GraphNode>& node : nodes_) {
    MemoryOfWork memory;
    node->work()->AddMemory(&memory);
    for (const Ref<GraphMemory>& one : memory.allocated) allocated_by[one.get()] = node.get();
  }
  for (const Ref<GraphNode>& node : nodes_) {
    MemoryOfWork memory;
    node->work()->AddMemory(&memory);
    for (const Ref<GraphMemory>& one : memory.freed) {
      const auto from = allocated_by.find(one.get());
      if (from != allocated_by.end() && !ComesAfter(*node, *from->second)) return false;
    }
    Graph* child = memory.empty() ? nullptr : node->work()->child();
    if (child == nullptr) continue;
    std::lock_guard lock(child->mutex());
    if (!child->FreesAfterAllocating()) return false;
  }
  return true;
}

void Graph::set_instance(Ref<GraphExec> exec) { instance_ = std::move(exec); }

bool HasInside(Graph& graph, const Graph& other) {
  std::vector<Ref<Graph>> open{Ref<Graph>(&graph)};
  while (!open.empty()) {
    const Ref<Graph> one = std::move(open.back());
    open.pop_back();
    std::lock_guard lock(one->mutex());
    for (const Ref<GraphNode>& node : one->nodes()) {
      Graph* child = node->work()->child();
      if (child == &other) return true;
      if (child != nullptr) open.emplace_back(child);
    }
  }
  return false;
}

// What a graph holds is read, then the clone filled, each with one lock: what the copy of a child
// graph locks is ordered after its parent, and no clone after or before its original.
Ref<Graph> CloneGraph(Graph& original) {
  struct Node {
    Work work;
    uint64_t original;
    std::map<int, CUlaunchAttributeValue> attributes;
    std::vector<std::pair<size_t, CUgraphEdgeData>> dependencies;
  };
  std::vector<Node> nodes;
  UserObjectReferences user_objects;
  {
    std::lock_guard lock(original.mutex());
    std::unordered_map<const GraphNode*, size_t> position;
    for (const Ref<GraphNode>& node : original.nodes()) {
      Work work = node->work()->Copy();
      position[node.get()] = nodes.size();
      nodes.push_back({.work = work != nullptr ? std::move(work) : node->work(),
                       .original = node->handle(),
                       .attributes = node->attributes(),
                       .dependencies = {}});
    }
    for (const Ref<GraphNode>& node : original.nodes()) {
      for (const GraphNode::Edge& edge : node->dependencies()) {
        nodes[position[node.get()]].dependencies.emplace_back(position[edge.from], edge.data);
      }
    }
    user_objects = ShareUserObjects(original.user_objects());
  }
  const Ref<Graph> clone = Make<Graph>();
  std::lock_guard lock(clone->mutex());
  std::vector<GraphNode*> copies;
  for (Node& node : nodes) {
    GraphNode& copy = *copies.emplace_back(&clone->Add(std::move(node.work), {}));
    copy.set_original(node.original);
    copy.attributes() = std::move(node.attributes);
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const auto& [from, data] : nodes[i].dependencies) {
      copies[i]->dependencies().push_back({copies[from], data});
    }
  }
  clone->user_objects() = std::move(user_objects);
  Register(clone);
  return clone;
}

void DestroyGraph(const Ref<Graph>& graph) {
  std::vector<Work> ended;
  UserObjectReferences user_objects;
  {
    std::lock_guard lock(graph->mutex());
    while (!graph->nodes().empty()) {
      GraphNode& node = *graph->nodes().back();
      ended.push_back(node.work());
      graph->Remove(node);
    }
    user_objects.swap(graph->user_objects());
  }
  ReleaseUserObjects(user_objects, UserObject::Destruction::kNow);
  for (const Work& work : ended) EndChildOf(*work);
}

void EndChildOf(const NodeWork& work) {
  const Ref<Graph> child(work.child());
  if (child && child->embedded() && Unregister(child)) DestroyGraph(child);
}

std::optional<GraphExec::Plan> PlanOf(Graph& graph) {
  std::lock_guard lock(graph.mutex());
  const std::optional<std::vector<uint32_t>> order = graph.Order();
  if (!order) return std::nullopt;
  std::unordered_map<const GraphNode*, uint32_t> position;
  GraphExec::Plan plan;
  MemoryOfWork memory;
  for (const uint32_t index : *order) {
    const GraphNode& node = *graph.nodes()[index];
    GraphExec::Step step{.node = node.handle(),
                         .place = index,
                         .work = node.work()->ForExec(node.work()),
                         .after = {}};
    if (step.work == nullptr) return std::nullopt;
    step.work->AddMemory(&memory);
    for (const GraphNode::Edge& edge : node.dependencies())
      step.after.push_back(position.at(edge.from));
    std::sort(step.after.begin(), step.after.end());
    position[&node] = static_cast<uint32_t>(plan.steps.size());
    plan.steps.push_back(std::move(step));
  }
  if (!memory.empty()) plan.memory = std::make_shared<MemoryOfWork>(std::move(memory));
  if (!graph.user_objects().empty())
    plan.user_objects = std::make_shared<SharedUserObjects>(graph.user_objects());
  return plan;
}

CUresult RunPlan(const GraphExec::Plan& plan) {
  for (const GraphExec::Step& step : plan.steps) {
    if (!step.enabled) continue;
    if (const CUresult result = step.work->Run()) return result;
  }
  return CUDA_SUCCESS;
}

std::shared_ptr<const GraphExec::Plan> GraphExec::plan() const {
  std::lock_guard lock(mutex_);
  return plan_;
}

bool GraphExec::OutlivesContext() const {
  const std::shared_ptr<const Plan> now = plan();
  return std::all_of(now->steps.begin(), now->steps.end(), [](const Step& step) {
    return step.work->type() == CU_GRAPH_NODE_TYPE_EMPTY;
  });
}

void GraphExec::Replace(Plan plan) {
  auto other = std::make_shared<Plan>(std::move(plan));
  std::lock_guard lock(mutex_);
  plan_.swap(other);  // the old one goes without the lock
}

Completion GraphExec::Launch(Stream& stream, const std::shared_ptr<const Plan>& plan,
                             std::vector<Completion> predecessors, std::function<CUresult()> run) {
  Operation operation;
  operation.predecessors = std::move(predecessors);
  std::vector<Event*> recorded;
  for (const Step& step : plan->steps) {
    if (!step.enabled) continue;
    operation.takes_time |= step.work->takes_time();
    if (const Event* event = step.work->waits_for()) {
      operation.predecessors.push_back(event->point());
      HappensBefore::Get().After(stream, event->before());
    }
    if (Event* event = step.work->records()) recorded.push_back(event);
  }
  operation.body = std::move(run);
  std::lock_guard lock(mutex_);
  operation.predecessors.push_back(last_launch_);
  HappensBefore& order = HappensBefore::Get();
  order.After(stream, before_next_);
  last_launch_ = Enqueue(stream, std::move(operation));
  before_next_ = order.EndOf(stream);
  for (Event* event : recorded) event->SetPoint(last_launch_, before_next_);
  return last_launch_;
}

}  // namespace culprit::fakedriver
