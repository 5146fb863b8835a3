// SPDX-License-Identifier: Apache-2.0
// Stream-ordered memory: from the device's own pool, and a pool made and destroyed each cycle.
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kBytes = 2 << 20;

class AsyncMemory final : public Workload {
 public:
  explicit AsyncMemory(Session& session) : Workload(session) {
    AddPair(
        "cuMemAllocAsync", [this] { return driver().cuMemAllocAsync(&memory_, kBytes, stream_); },
        "cuMemFreeAsync",
        [this] {
          if (Outcome freed = driver().cuMemFreeAsync(memory_, stream_); !freed.ok()) return freed;
          return driver().cuStreamSynchronize(stream_);
        });
  }

  Outcome Setup() override { return driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING); }
  Outcome Teardown() override { return driver().cuStreamDestroy(stream_); }

 private:
  CUstream stream_ = nullptr;
  CUdeviceptr memory_ = 0;
};

class MemoryPool final : public Workload {
 public:
  explicit MemoryPool(Session& session) : Workload(session) {
    const size_t pool = AddPair(
        "cuMemPoolCreate", [this] { return CreatePool(); }, "cuMemPoolDestroy",
        [this] { return driver().cuMemPoolDestroy(pool_); });
    AddPair(
        "cuMemAllocFromPoolAsync",
        [this] { return driver().cuMemAllocFromPoolAsync(&memory_, kBytes, pool_, stream_); },
        "cuMemFreeAsync",
        [this] {
          if (Outcome freed = driver().cuMemFreeAsync(memory_, stream_); !freed.ok()) return freed;
          return driver().cuStreamSynchronize(stream_);
        },
        {pool});
  }

  Outcome Setup() override { return driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING); }
  Outcome Teardown() override { return driver().cuStreamDestroy(stream_); }

 private:
  Outcome CreatePool() {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = session().device();
    return driver().cuMemPoolCreate(&pool_, &properties);
  }

  CUstream stream_ = nullptr;
  CUmemoryPool pool_ = nullptr;
  CUdeviceptr memory_ = 0;
};

}  // namespace

const ProbeInfo kAsyncMemory{
    .name = "async_memory",
    .summary = "allocate and free 2 MiB from the device's pool on a stream",
    .object = "2 MiB of the default pool",
    .planted_device_bytes = kBytes,
    .make = MakeWorkload<AsyncMemory>,
};

const ProbeInfo kMemoryPool{
    .name = "memory_pool",
    .summary = "create a pool, allocate 2 MiB from it, free, destroy",
    .object = "one pool",
    .make = MakeWorkload<MemoryPool>,
};

}  // namespace culprit::stress
