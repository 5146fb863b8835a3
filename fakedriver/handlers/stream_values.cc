// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/stream_values.h"

#include <atomic>

#include "fakedriver/core/bytes_in_place.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

template <typename Word, typename Signed>
bool Holds(Word memory, Word value, unsigned condition) {
  switch (condition) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<Signed>(memory - value) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return memory == value;
    case CU_STREAM_WAIT_VALUE_AND:
      return (memory & value) != 0;
    default:
      return static_cast<Word>(~(memory | value)) != 0;
  }
}

CUresult NeedWord(CUdeviceptr address, uint32_t bytes, CopyOperand* word) {
  if (address == 0 || address % bytes != 0) return CUDA_ERROR_INVALID_VALUE;
  return DeviceOperand(address, {bytes, 1, 1}, {}, "addr", word);
}

CUresult TranslateOne(const CUstreamBatchMemOpParams& params,
                      std::vector<ValueOperation>* operations) {
  ValueOperation operation;
  switch (params.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64: {
      const unsigned flags = params.waitValue.flags;
      if ((flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH}) > CU_STREAM_WAIT_VALUE_NOR)
        return CUDA_ERROR_INVALID_VALUE;
      // CUDA driver API: needs CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, which an H200 does not
      // have.
      if ((flags & CU_STREAM_WAIT_VALUE_FLUSH) != 0) return CUDA_ERROR_NOT_SUPPORTED;
      operation.wait = true;
      operation.condition = flags;
      operation.bytes = params.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ? 4 : 8;
      operation.value = operation.bytes == 4 ? params.waitValue.value : params.waitValue.value64;
      if (CUresult result = NeedWord(params.waitValue.address, operation.bytes, &operation.word))
        return result;
      break;
    }
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      if ((params.writeValue.flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      operation.bytes = params.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ? 4 : 8;
      operation.value = operation.bytes == 4 ? params.writeValue.value : params.writeValue.value64;
      if (CUresult result = NeedWord(params.writeValue.address, operation.bytes, &operation.word))
        return result;
      break;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return CUDA_ERROR_NOT_SUPPORTED;
    case CU_STREAM_MEM_OP_BARRIER:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  operations->push_back(std::move(operation));
  return CUDA_SUCCESS;
}

CUresult Batch(CUstream handle, std::span<const CUstreamBatchMemOpParams> batch) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(handle, "stream", &stream)) return result;
  std::vector<ValueOperation> operations;
  if (CUresult result = TranslateBatch(batch, &operations)) return result;
  if (stream->capturing()) {
    return AddToCapture(*stream, ValuesNode(std::move(operations), {batch.begin(), batch.end()}));
  }
  for (const ValueOperation& operation : operations) {
    if (CUresult result = NeedMemory(operation.word, operation.bytes, "addr")) return result;
  }
  Submit(operations, *stream);
  return CUDA_SUCCESS;
}

CUresult One(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr addr, uint64_t value,
             unsigned flags) {
  CUstreamBatchMemOpParams params{};
  params.operation = type;
  if (type == CU_STREAM_MEM_OP_WAIT_VALUE_32 || type == CU_STREAM_MEM_OP_WAIT_VALUE_64) {
    params.waitValue.address = addr;
    params.waitValue.value64 = value;
    params.waitValue.flags = flags;
  } else {
    params.writeValue.address = addr;
    params.writeValue.value64 = value;
    params.writeValue.flags = flags;
  }
  return Batch(stream, {&params, 1});
}

CUresult BatchOf(CUstream stream, unsigned count, const CUstreamBatchMemOpParams* params,
                 unsigned flags) {
  if (count == 0 || count > 256 || params == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return Batch(stream, {params, count});
}

}  // namespace

bool ValueOperation::Satisfied() const {
  if (bytes == 4) {
    auto* at = reinterpret_cast<uint32_t*>(word.block.first);
    return Holds<uint32_t, int32_t>(std::atomic_ref(*at).load(std::memory_order_acquire),
                                    static_cast<uint32_t>(value), condition);
  }
  auto* at = reinterpret_cast<uint64_t*>(word.block.first);
  return Holds<uint64_t, int64_t>(std::atomic_ref(*at).load(std::memory_order_acquire), value,
                                  condition);
}

void ValueOperation::Write() const {
  // Whoever polls the word knows by it what the stream has done.
  if (const OrderPoint* place = CurrentPlace()) HappensBefore::Get().HostKnows(*place->before);
  const BytesInPlace in_place;
  if (bytes == 4) {
    std::atomic_ref(*reinterpret_cast<uint32_t*>(word.block.first))
        .store(static_cast<uint32_t>(value), std::memory_order_release);
  } else {
    std::atomic_ref(*reinterpret_cast<uint64_t*>(word.block.first))
        .store(value, std::memory_order_release);
  }
}

CUresult TranslateBatch(std::span<const CUstreamBatchMemOpParams> batch,
                        std::vector<ValueOperation>* operations) {
  for (const CUstreamBatchMemOpParams& params : batch) {
    if (CUresult result = TranslateOne(params, operations)) return result;
  }
  return CUDA_SUCCESS;
}

void Submit(const std::vector<ValueOperation>& operations, Stream& stream) {
  for (const ValueOperation& one : operations) {
    Operation operation;
    if (one.wait) {
      operation.ready = [one] { return one.Satisfied(); };
      operation.body = [] {
        HappensBefore::Get().SawOutside();
        return CUDA_SUCCESS;
      };
    } else {
      operation.body = [one] {
        one.Write();
        return CUDA_SUCCESS;
      };
    }
    Enqueue(stream, std::move(operation));
  }
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                             unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}
CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                             unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                              unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                 unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                              unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                 unsigned int flags) {
  return One(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
                            CUstreamBatchMemOpParams* paramArray, unsigned int flags) {
  return BatchOf(stream, count, paramArray, flags);
}
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                               CUstreamBatchMemOpParams* paramArray, unsigned int flags) {
  return BatchOf(stream, count, paramArray, flags);
}

}  // namespace culprit::fakedriver::handlers
