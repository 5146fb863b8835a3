// SPDX-License-Identifier: Apache-2.0
//
// Many copies in one call. CUDA driver API, cuMemcpyBatchAsync: they may run in any order among
// themselves; here they run as listed.
#include <cstdint>

#include "fakedriver/handlers/copy_operand.h"
#include "fakedriver/handlers/copy_submission.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr size_t kNoParticularCopy = SIZE_MAX;

struct Batch {
  const CUdeviceptr* to;
  const CUdeviceptr* from;
  const size_t* sizes;
  size_t count;
  const CUmemcpyAttributes* attributes;
  const size_t* first_of;  // the first copy of each attribute
  size_t attribute_count;
};

bool IsAccessOrder(CUmemcpySrcAccessOrder order) {
  return order == CU_MEMCPY_SRC_ACCESS_ORDER_STREAM ||
         order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL ||
         order == CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

// The attributes cover the copies in order, the first from the first copy on.
bool AttributesFit(const Batch& batch) {
  if (batch.attributes == nullptr || batch.first_of == nullptr || batch.attribute_count == 0 ||
      batch.attribute_count > batch.count || batch.first_of[0] != 0) {
    return false;
  }
  for (size_t i = 0; i < batch.attribute_count; ++i) {
    if (i > 0 && batch.first_of[i] <= batch.first_of[i - 1]) return false;
    if (batch.first_of[i] >= batch.count) return false;
    if (!IsAccessOrder(batch.attributes[i].srcAccessOrder)) return false;
  }
  return true;
}

CUresult Translate(const Batch& batch, size_t i, Transfer* transfer) {
  if (batch.sizes[i] == 0) return CUDA_ERROR_INVALID_VALUE;
  transfer->extent = {batch.sizes[i], 1, 1};
  if (CUresult result = UnifiedOperand(batch.to[i], transfer->extent, {}, "dsts", &transfer->to);
      result != CUDA_SUCCESS) {
    return result;
  }
  return UnifiedOperand(batch.from[i], transfer->extent, {}, "srcs", &transfer->from);
}

// `*failed`: the copy that is wrong, or kNoParticularCopy.
CUresult Copy(const Batch& batch, CUstream hStream, size_t* failed) {
  // As recorded: a current context is needed besides the stream, and its lack has no name of its
  // own.
  if (CurrentContext() == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  if (batch.count == 0 || batch.to == nullptr || batch.from == nullptr || batch.sizes == nullptr ||
      stream->role() == Stream::Role::kLegacyDefault || !AttributesFit(batch)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::vector<Transfer> transfers(batch.count);
  for (size_t i = 0, attribute = 0; i < batch.count; ++i) {
    if (CUresult result = Translate(batch, i, &transfers[i]); result != CUDA_SUCCESS) {
      *failed = i;
      return result;
    }
    if (attribute + 1 < batch.attribute_count && batch.first_of[attribute + 1] == i) ++attribute;
    transfers[i].source_during_call =
        batch.attributes[attribute].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  }
  for (Transfer& transfer : transfers) {
    if (CUresult result = Submit(std::move(transfer), *stream, HostWait::kAsMeasured);
        result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                            CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                            size_t* failIdx, CUstream hStream) {
  if (hStream == nullptr) return CUDA_ERROR_INVALID_VALUE;  // as recorded, *failIdx stays
  size_t failed = kNoParticularCopy;
  const CUresult result =
      Copy({dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs}, hStream, &failed);
  if (failIdx != nullptr) *failIdx = failed;
  return result;
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                               CUstream hStream) {
  size_t failed = kNoParticularCopy;
  return Copy({dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs}, hStream, &failed);
}

}  // namespace culprit::fakedriver::handlers
