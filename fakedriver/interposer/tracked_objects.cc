// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/interposer/tracked_objects.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "fakedriver/audit/end_of_life.h"
#include "fakedriver/audit/finding.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/injection.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/interposer/graph_memory.h"

namespace culprit::fakedriver {
namespace interposer {
namespace {

using audit::Rule;

struct Kind {
  const char* name;
  uint32_t LiveCounts::*counter;
  Rule leak;
};

constexpr Kind kContext{"context", &LiveCounts::contexts, Rule::kLeakContext};
constexpr Kind kRetain{"primary retain", &LiveCounts::primary_retains,
                       Rule::kPrimaryUnbalancedRetain};
constexpr Kind kStream{"stream", &LiveCounts::streams, Rule::kLeakStream};
constexpr Kind kEvent{"event", &LiveCounts::events, Rule::kLeakEvent};
constexpr Kind kModule{"module", &LiveCounts::modules, Rule::kLeakModule};
constexpr Kind kLibrary{"library", &LiveCounts::libraries, Rule::kLeakLibrary};
constexpr Kind kAllocation{"allocation", &LiveCounts::allocations, Rule::kLeakAllocation};
constexpr Kind kHostBlock{"host block", &LiveCounts::host_blocks, Rule::kLeakHostMemory};
constexpr Kind kPool{"pool", &LiveCounts::pools, Rule::kLeakPool};
constexpr Kind kGraph{"graph", &LiveCounts::graphs, Rule::kLeakGraph};
constexpr Kind kGraphExec{"graph exec", &LiveCounts::graph_execs, Rule::kLeakGraphExec};
constexpr Kind kMapping{"mapping", &LiveCounts::mappings, Rule::kLeakMapping};
constexpr Kind kReservation{"reservation", &LiveCounts::mappings, Rule::kLeakMapping};
constexpr Kind kPhysical{"physical memory", &LiveCounts::mappings, Rule::kLeakMapping};
constexpr Kind kArray{"array", &LiveCounts::others, Rule::kLeakOther};
constexpr Kind kMipmappedArray{"mipmapped array", &LiveCounts::others, Rule::kLeakOther};
constexpr Kind kTexture{"texture object", &LiveCounts::others, Rule::kLeakOther};
constexpr Kind kSurface{"surface object", &LiveCounts::others, Rule::kLeakOther};
constexpr Kind kLinkState{"link state", &LiveCounts::others, Rule::kLeakOther};

enum class Happens : uint8_t {
  kCreates,      // writes the handle to the argument
  kAdopts,       // the argument is the handle
  kDestroys,     // the argument is the handle
  kDestroysAll,  // the argument is a device whose primary context goes, retains and all
  kLaunches,     // the argument is an executable graph, which allocates and frees
  kUpdates,      // the same, which takes over what the graph behind it has
  kAddsNode      // the last argument has the parameters of a graph's node
};

struct Meaning {
  std::string_view lookup;
  Happens happens;
  const Kind* kind;
  uint8_t argument = 0;
};

constexpr Meaning kMeanings[] = {
    {"cuCtxCreate", Happens::kCreates, &kContext},
    {"cuCtxDestroy", Happens::kDestroys, &kContext},
    {"cuDevicePrimaryCtxRetain", Happens::kAdopts, &kRetain, 1},
    {"cuDevicePrimaryCtxRelease", Happens::kDestroys, &kRetain},
    {"cuDevicePrimaryCtxReset", Happens::kDestroysAll, &kRetain},
    {"cuStreamCreate", Happens::kCreates, &kStream},
    {"cuStreamCreateWithPriority", Happens::kCreates, &kStream},
    {"cuGreenCtxStreamCreate", Happens::kCreates, &kStream},
    {"cuStreamDestroy", Happens::kDestroys, &kStream},
    {"cuEventCreate", Happens::kCreates, &kEvent},
    {"cuIpcOpenEventHandle", Happens::kCreates, &kEvent},
    {"cuEventDestroy", Happens::kDestroys, &kEvent},
    {"cuModuleLoad", Happens::kCreates, &kModule},
    {"cuModuleLoadData", Happens::kCreates, &kModule},
    {"cuModuleLoadDataEx", Happens::kCreates, &kModule},
    {"cuModuleLoadFatBinary", Happens::kCreates, &kModule},
    {"cuModuleUnload", Happens::kDestroys, &kModule},
    {"cuLibraryLoadData", Happens::kCreates, &kLibrary},
    {"cuLibraryLoadFromFile", Happens::kCreates, &kLibrary},
    {"cuLibraryUnload", Happens::kDestroys, &kLibrary},
    {"cuMemAlloc", Happens::kCreates, &kAllocation},
    {"cuMemAllocPitch", Happens::kCreates, &kAllocation},
    {"cuMemAllocManaged", Happens::kCreates, &kAllocation},
    {"cuMemAllocAsync", Happens::kCreates, &kAllocation},
    {"cuMemAllocFromPoolAsync", Happens::kCreates, &kAllocation},
    {"cuMemFree", Happens::kDestroys, &kAllocation},
    {"cuMemFreeAsync", Happens::kDestroys, &kAllocation},
    {"cuMemAllocHost", Happens::kCreates, &kHostBlock},
    {"cuMemHostAlloc", Happens::kCreates, &kHostBlock},
    {"cuMemHostRegister", Happens::kAdopts, &kHostBlock},
    {"cuMemFreeHost", Happens::kDestroys, &kHostBlock},
    {"cuMemHostUnregister", Happens::kDestroys, &kHostBlock},
    {"cuMemPoolCreate", Happens::kCreates, &kPool},
    {"cuMemPoolImportFromShareableHandle", Happens::kCreates, &kPool},
    {"cuMemPoolDestroy", Happens::kDestroys, &kPool},
    {"cuGraphCreate", Happens::kCreates, &kGraph},
    {"cuGraphClone", Happens::kCreates, &kGraph},
    {"cuStreamEndCapture", Happens::kCreates, &kGraph, 1},
    {"cuGraphDestroy", Happens::kDestroys, &kGraph},
    {"cuGraphInstantiate", Happens::kCreates, &kGraphExec},
    {"cuGraphInstantiateWithFlags", Happens::kCreates, &kGraphExec},
    {"cuGraphInstantiateWithParams", Happens::kCreates, &kGraphExec},
    {"cuGraphExecDestroy", Happens::kDestroys, &kGraphExec},
    {"cuGraphExecUpdate", Happens::kUpdates, &kGraphExec},
    {"cuGraphLaunch", Happens::kLaunches, &kGraphExec},
    {"cuGraphAddNode", Happens::kAddsNode, &kGraph},
    {"cuIpcOpenMemHandle", Happens::kCreates, &kMapping},
    {"cuIpcCloseMemHandle", Happens::kDestroys, &kMapping},
    {"cuMemAddressReserve", Happens::kCreates, &kReservation},
    {"cuMemAddressFree", Happens::kDestroys, &kReservation},
    {"cuMemCreate", Happens::kCreates, &kPhysical},
    {"cuMemImportFromShareableHandle", Happens::kCreates, &kPhysical},
    {"cuMemRelease", Happens::kDestroys, &kPhysical},
    {"cuArrayCreate", Happens::kCreates, &kArray},
    {"cuArray3DCreate", Happens::kCreates, &kArray},
    {"cuArrayDestroy", Happens::kDestroys, &kArray},
    {"cuMipmappedArrayCreate", Happens::kCreates, &kMipmappedArray},
    {"cuMipmappedArrayDestroy", Happens::kDestroys, &kMipmappedArray},
    {"cuTexObjectCreate", Happens::kCreates, &kTexture},
    {"cuTexObjectDestroy", Happens::kDestroys, &kTexture},
    {"cuSurfObjectCreate", Happens::kCreates, &kSurface},
    {"cuSurfObjectDestroy", Happens::kDestroys, &kSurface},
    {"cuLinkCreate", Happens::kCreates, &kLinkState, 3},
    {"cuLinkDestroy", Happens::kDestroys, &kLinkState},
};

const Meaning* MeaningOf(ApiId id) {
  static const auto* by_id = [] {
    auto* made = new std::array<const Meaning*, kApiCount>{};
    for (const ApiInfo& row : kApis) {
      const Meaning* found =
          std::ranges::find(kMeanings, std::string_view(row.lookup), &Meaning::lookup);
      if (found != std::end(kMeanings)) (*made)[static_cast<size_t>(row.id)] = found;
    }
    return made;
  }();
  return (*by_id)[static_cast<size_t>(id)];
}

struct Tracked {
  const Kind* kind = nullptr;
  LiveObject object;
};

using Key = std::pair<const Kind*, uint64_t>;

// What a call ended: the injection asks for it.
struct Ended {
  uint64_t call = 0;
  std::vector<Key> keys;
};

struct Objects {
  std::mutex mutex;
  std::multimap<Key, Tracked> live;  // several retains of one device have the same key
  std::set<Key> ambiguous;
  std::map<std::string_view, uint64_t> numbers;
  std::map<uint64_t, uint64_t> primary_of_device;  // context handles
  std::map<uint32_t, Ended> ended;                 // the last call of each thread that ended any
  std::map<uint64_t, LaunchedMemory> launches;     // of executable graphs that have memory nodes
};

// Never destroyed: the driver is called until the process ends.
Objects& TheObjects() {
  static Objects* objects = new Objects;
  return *objects;
}

uint64_t Load(const trace::Argument& argument) {
  uint64_t value = 0;
  if (argument.bits == 0) return 0;
  std::memcpy(&value, argument.pointee(), std::min<size_t>(argument.pointee_bytes, sizeof value));
  return value;
}

void Create(Objects& objects, const Kind& kind, uint64_t handle, uint64_t context) {
  const CallInProgress& call = *CurrentCall();
  Tracked tracked{.kind = &kind, .object = {}};
  tracked.object = {.kind = kind.name,
                    .number = ++objects.numbers[kind.name],
                    .handle = handle,
                    .context = context,
                    .harness = call.harness,
                    .created_call = call.sequence,
                    .created_entry = Info(call.api).symbol,
                    .created_thread = ThisThread().ordinal,
                    .created_return_address = call.return_address};
  objects.live.emplace(Key{&kind, handle}, std::move(tracked));
}

// What lives in a context goes with it.
void EndContext(Objects& objects, uint64_t context) {
  std::erase_if(objects.live,
                [&](const auto& entry) { return entry.second.object.context == context; });
}

void NoteEnded(Objects& objects, const Key& key) {
  const uint64_t call = CurrentCall()->sequence;
  Ended& ended = objects.ended[ThisThread().ordinal];
  if (std::exchange(ended.call, call) != call) ended.keys.clear();
  ended.keys.push_back(key);
}

void Destroy(Objects& objects, const Kind& kind, uint64_t handle) {
  const Key key{&kind, handle};
  auto found = objects.live.find(key);
  if (found != objects.live.end()) objects.live.erase(found);
  NoteEnded(objects, key);
  if (&kind == &kGraphExec) objects.launches.erase(handle);
  if (&kind == &kContext) EndContext(objects, handle);
  if (&kind == &kRetain && !objects.live.contains(key)) {
    EndContext(objects, objects.primary_of_device[handle]);
  }
}

// To the caller what a launch leaves is there from the call on, and what it frees is gone.
void Launch(Objects& objects, uint64_t exec, uint64_t context) {
  const auto found = objects.launches.find(exec);
  if (found == objects.launches.end()) return;
  for (const uint64_t address : found->second.freed) Destroy(objects, kAllocation, address);
  for (const uint64_t address : found->second.left) {
    // What is there yet was freed by this launch: the executable was made to do so.
    objects.live.erase({&kAllocation, address});
    Create(objects, kAllocation, address, context);
  }
}

// What a stream that captures is given becomes nodes.
bool IsCaptured(ApiId id, const Kind& kind, std::span<const trace::Argument> arguments) {
  if (&kind != &kAllocation || Info(id).family != Family::kPool) return false;
  return IsCapturing(id, reinterpret_cast<CUstream>(arguments.back().bits));
}

// A graph that has become part of another is no longer the program's to destroy.
bool IsMoved(const CUgraphNodeParams& params) {
  return params.type == CU_GRAPH_NODE_TYPE_GRAPH &&
         params.graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
}

std::string Describe(const LiveObject& object) {
  return object.kind + " #" + std::to_string(object.number) + ", created by call " +
         std::to_string(object.created_call) + " (" + object.created_entry + ")";
}

}  // namespace

bool IsTracked(ApiId id) { return MeaningOf(id) != nullptr; }

void Track(ApiId id, std::span<const trace::Argument> arguments, uint64_t context) {
  const Meaning* meaning = MeaningOf(id);
  if (meaning == nullptr || meaning->argument >= arguments.size()) return;
  const trace::Argument& argument = arguments[meaning->argument];
  const Kind& kind = *meaning->kind;
  const bool belongs =
      kind.counter != &LiveCounts::contexts && kind.counter != &LiveCounts::primary_retains &&
      kind.counter != &LiveCounts::graphs && kind.counter != &LiveCounts::graph_execs;
  if (IsCaptured(id, kind, arguments)) return;
  LaunchedMemory memory;
  const bool of_graph = &kind == &kGraphExec && (meaning->happens == Happens::kCreates ||
                                                 meaning->happens == Happens::kUpdates);
  if (of_graph) memory = MemoryOf(reinterpret_cast<CUgraph>(arguments[1].bits));
  Objects& objects = TheObjects();
  std::lock_guard lock(objects.mutex);
  switch (meaning->happens) {
    case Happens::kCreates:
      // A capture may go into a graph that is there.
      if (&kind == &kGraph && objects.live.contains({&kind, Load(argument)})) break;
      Create(objects, kind, Load(argument), belongs ? context : 0);
      if (!memory.empty()) objects.launches[Load(argument)] = std::move(memory);
      break;
    case Happens::kAdopts:
      if (&kind == &kRetain) objects.primary_of_device[argument.bits] = Load(arguments[0]);
      Create(objects, kind, argument.bits, belongs ? context : 0);
      break;
    case Happens::kDestroys:
      Destroy(objects, kind, argument.bits);
      break;
    case Happens::kDestroysAll:
      EndContext(objects, objects.primary_of_device[argument.bits]);
      break;
    case Happens::kLaunches:
      Launch(objects, argument.bits, context);
      break;
    case Happens::kUpdates:
      objects.launches.erase(argument.bits);
      if (!memory.empty()) objects.launches[argument.bits] = std::move(memory);
      break;
    case Happens::kAddsNode: {
      const auto& params = *static_cast<const CUgraphNodeParams*>(arguments.back().pointee());
      if (IsMoved(params)) Destroy(objects, kGraph, reinterpret_cast<uint64_t>(params.graph.graph));
      break;
    }
  }
}

bool TakeAmbiguous(ApiId id, std::span<const trace::Argument> arguments) {
  const Meaning* meaning = MeaningOf(id);
  if (meaning == nullptr || meaning->happens != Happens::kDestroys) return false;
  Objects& objects = TheObjects();
  std::lock_guard lock(objects.mutex);
  const Key key{meaning->kind, arguments[meaning->argument].bits};
  // The driver may have given the handle out again.
  if (objects.ambiguous.erase(key) == 0 || objects.live.contains(key)) return false;
  // A fault that stays hides this success too.
  NoteEnded(objects, key);
  return true;
}

}  // namespace interposer

using interposer::TheObjects;

void EffectHidden(const CallInProgress& call) {
  interposer::Objects& objects = TheObjects();
  std::lock_guard lock(objects.mutex);
  for (auto& [key, tracked] : objects.live) {
    if (tracked.object.created_call == call.sequence) tracked.object.orphan = true;
  }
  const interposer::Ended& ended = objects.ended[ThisThread().ordinal];
  if (ended.call == call.sequence) objects.ambiguous.insert(ended.keys.begin(), ended.keys.end());
}

LiveCounts CountLive() {
  LiveCounts counts;
  std::lock_guard lock(TheObjects().mutex);
  for (const auto& [key, tracked] : TheObjects().live) {
    if (tracked.object.harness) continue;
    ++(tracked.object.orphan ? counts.orphaned : counts.*tracked.kind->counter);
  }
  return counts;
}

std::vector<LiveObject> LiveObjects() {
  std::vector<LiveObject> list;
  std::lock_guard lock(TheObjects().mutex);
  for (const auto& [key, tracked] : TheObjects().live) list.push_back(tracked.object);
  return list;
}

namespace interposer {

void ForgetObjects() {
  Objects& objects = TheObjects();
  std::lock_guard lock(objects.mutex);
  objects.live.clear();
  objects.ambiguous.clear();
  objects.numbers.clear();
  objects.ended.clear();
  objects.launches.clear();
}

}  // namespace interposer

void audit::AuditEndOfLife() {
  std::lock_guard lock(TheObjects().mutex);
  for (const auto& [key, tracked] : TheObjects().live) {
    const LiveObject& object = tracked.object;
    if (object.harness || object.orphan) continue;
    Raise(tracked.kind->leak, {.object = interposer::Describe(object), .handle = object.handle});
  }
}

}  // namespace culprit::fakedriver
