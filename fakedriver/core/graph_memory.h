// SPDX-License-Identifier: Apache-2.0
//
// Memory that nodes of graphs allocate. Its address is fixed when the node is made and lasts as
// long as the node or memory of one of its launches; each launch puts an allocation of its own
// there, so that findings name the launch and what is not written in this launch is uninitialised.
#ifndef FAKEDRIVER_CORE_GRAPH_MEMORY_H_
#define FAKEDRIVER_CORE_GRAPH_MEMORY_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/object.h"
#include "fakedriver/core/pool_numbers.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {

class Device;
class Graph;

class GraphMemory final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kOther;

  // Null: no addresses are left.
  static Ref<GraphMemory> Reserve(const Device& device, uint64_t size);
  // Whose place contains the address; null: it is none of a graph's.
  static Ref<GraphMemory> At(uint64_t address);
  ~GraphMemory() override;

  const Ref<Allocation>& stand_in() const { return stand_in_; }
  uint64_t base() const { return stand_in_->base(); }
  uint64_t size() const { return stand_in_->size(); }
  int device() const { return stand_in_->device(); }

  // What one launch allocates. It has its address and is not there yet.
  Ref<Allocation> NewAllocation(Context& context);

  // The graph that its node is in.
  void set_owner(const Graph& graph);
  // A node of that graph is about to free it: a number for DropClaim when it will do so no longer.
  // 0 where the interface forbids it: a second time in one graph, or both in the graph that
  // allocates it and in another.
  uint64_t ClaimFree(const Graph& graph);
  void DropClaim(uint64_t claim);
  // The caller does not know of the nodes that this call made; they are in the way of no others.
  static void ForgetClaims(uint64_t call);
  // The same for the nodes of a graph that the caller does not know of.
  static void ForgetClaimsOf(const Graph& graph);

  // The ends of the newest launch that allocates it and of the newest operation that frees it.
  // What is queued for the place later waits for them, whatever stream it is in: memory is mapped
  // and unmapped in the order of the calls.
  void Arrives(Completion launch);
  void Leaves(Completion free);
  Completion arrival() const;
  Completion departure() const;

  explicit GraphMemory(Ref<Allocation> stand_in);

 private:
  struct Claim {
    uint64_t graph = 0;  // serial
    uint64_t call = 0;
    bool known = true;  // to the caller
  };

  template <typename Which>
  static void ForgetClaimsIf(Which which);

  const Ref<Allocation> stand_in_;
  const uint64_t life_;
  mutable std::mutex mutex_;  // guards what follows
  uint64_t owner_ = 0;        // serials of graphs
  uint64_t last_claim_ = 0;
  std::map<uint64_t, Claim> claims_;
  Completion arrival_;
  Completion departure_;
};

// The memory of a device that graphs hold. Graphs of one stream share what they free again
// themselves, and it is kept for the next launch until a trim (CUDA programming guide, graph memory
// nodes). That it is taken in pieces of 32 MiB, as pools do, and what counts as used is guessed.
class GraphPool {
 public:
  static GraphPool& Of(int device);

  explicit GraphPool(int device) : device_(device) {}

  // What a launch needs of one device.
  struct Need {
    uint64_t passing = 0;                  // bytes that are free again at its end
    std::vector<Ref<Allocation>> staying;  // allocations that it leaves
    std::vector<Ref<Allocation>> leaving;  // and those that it frees before
  };
  // For a launch in the stream, of the devices in order. CUDA_ERROR_OUT_OF_MEMORY: nothing has
  // changed on any of them.
  static CUresult Take(const Stream& stream, const std::vector<Need>& by_device);
  void Launched(const Stream& stream, Completion launch);
  // An allocation that stayed was freed.
  void GiveBack(const Allocation& allocation);
  // Gives back to the device what no queued launch and no allocation needs.
  void Trim();

  PoolNumbers numbers() const;
  void ResetHighMarks(bool used, bool reserved);

 private:
  struct Passing {
    uint64_t bytes = 0;
    Completion launch;
  };

  // What will be used and reserved.
  struct Charged {
    uint64_t used = 0;
    uint64_t reserved = 0;
    uint64_t more = 0;  // used, as charged
  };

  void Drop(uint64_t bytes);
  CUresult Charge(const Stream& stream, const Need& need, Charged* charged);
  void Uncharge(const Charged& charged);
  void Note(const Stream& stream, const Need& need, const Charged& charged);

  const int device_;
  mutable std::mutex mutex_;  // guards what follows
  PoolNumbers numbers_;
  std::map<uint64_t, Passing> passing_;  // by stream
  std::set<uint64_t> staying_;           // buffer ids
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_GRAPH_MEMORY_H_
