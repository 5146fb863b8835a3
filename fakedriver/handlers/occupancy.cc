// SPDX-License-Identifier: Apache-2.0
//
// Occupancy: how many blocks of a kernel are resident at once, and which block size makes most of a
// device.
#include <algorithm>

#include "fakedriver/core/module.h"
#include "fakedriver/handlers/function_attributes.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/library_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr unsigned kKnownFlags = CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE;
constexpr uint64_t kWarp = 32;

int AttributeOf(const Device& device, CUdevice_attribute attribute) {
  int value = 0;
  device.Attribute(attribute, &value);
  return value;
}

// CUDA driver API, cuOccupancy...: a kernel of a library may stand for the function; the current
// context then says on which device.
CUresult FindFunction(CUfunction handle, Ref<Function>* function) {
  const Found<Kernel> kernel = Driver::Get().handles().Find<Kernel>(handle);
  if (!kernel) return Need<Function>(handle, "func", function);
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  return FunctionIn(*kernel.object, *context, function);
}

CUresult ActiveBlocks(int* blocks, CUfunction func, int threads, size_t shared, unsigned flags) {
  Ref<Function> function;
  if (CUresult result = FindFunction(func, &function); result != CUDA_SUCCESS) return result;
  if (blocks == nullptr || threads <= 0 || (flags & ~kKnownFlags) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *blocks = static_cast<int>(
      BlocksPerMultiprocessor(OnDevice(*function), static_cast<uint64_t>(threads), shared));
  return CUDA_SUCCESS;
}

struct SharedBytes {
  CUoccupancyB2DSize of_block;  // may be null: always `fixed`
  size_t fixed;
};

CUresult BestBlock(int* grid, int* block, CUfunction func, const SharedBytes& shared, int limit,
                   unsigned flags) {
  Ref<Function> function;
  if (CUresult result = FindFunction(func, &function); result != CUDA_SUCCESS) return result;
  if (grid == nullptr || block == nullptr || limit < 0 || (flags & ~kKnownFlags) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const KernelOnDevice kernel = OnDevice(*function);
  uint64_t most = MaxThreadsPerBlock(kernel);
  if (limit > 0) most = std::min(most, static_cast<uint64_t>(limit));
  uint64_t best_threads = 0;
  uint64_t best_blocks = 0;
  // From the biggest block down, so that among equals the biggest wins.
  for (uint64_t threads = most; threads > 0;
       threads = threads > kWarp ? (threads - 1) / kWarp * kWarp : 0) {
    const size_t bytes =
        shared.of_block != nullptr ? shared.of_block(static_cast<int>(threads)) : shared.fixed;
    const uint64_t blocks = BlocksPerMultiprocessor(kernel, threads, bytes);
    if (blocks * threads > best_blocks * best_threads) {
      best_threads = threads;
      best_blocks = blocks;
    }
  }
  *block = static_cast<int>(best_threads);
  *grid = static_cast<int>(best_blocks) *
          AttributeOf(kernel.device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize) {
  return ActiveBlocks(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func,
                                                              int blockSize, size_t dynamicSMemSize,
                                                              unsigned int flags) {
  return ActiveBlocks(numBlocks, func, blockSize, dynamicSMemSize, flags);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit) {
  return BestBlock(minGridSize, blockSize, func, {blockSizeToDynamicSMemSize, dynamicSMemSize},
                   blockSizeLimit, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                   CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags) {
  return BestBlock(minGridSize, blockSize, func, {blockSizeToDynamicSMemSize, dynamicSMemSize},
                   blockSizeLimit, flags);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func,
                                                 int numBlocks, int blockSize) {
  Ref<Function> function;
  if (CUresult result = FindFunction(func, &function); result != CUDA_SUCCESS) return result;
  if (dynamicSmemSize == nullptr || numBlocks <= 0 || blockSize <= 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const KernelOnDevice kernel = OnDevice(*function);
  const auto threads = static_cast<uint64_t>(blockSize);
  if (BlocksPerMultiprocessor(kernel, threads, 0) < static_cast<uint64_t>(numBlocks)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const auto all = static_cast<uint64_t>(
      AttributeOf(kernel.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  const auto reserved = static_cast<uint64_t>(
      AttributeOf(kernel.device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  const uint64_t share = all / static_cast<uint64_t>(numBlocks) / 128 * 128;
  const uint64_t used = kernel.info.static_shared_bytes + reserved;
  const auto most = static_cast<uint64_t>(
      AttributeOf(kernel.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  *dynamicSmemSize = std::min(share > used ? share - used : 0,
                              most - std::min<uint64_t>(most, kernel.info.static_shared_bytes));
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
