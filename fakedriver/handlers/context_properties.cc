// SPDX-License-Identifier: Apache-2.0
//
// What can be asked of a context, set in it and waited for.
#include <algorithm>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/context_flags.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

// The current context, dead or alive: what only reads its constants works on a dead one (measured).
CUresult NeedAnyContext(Context** context) {
  *context = CurrentContext();
  return *context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

// The current context was destroyed before it was made current. As recorded it has no device then,
// unlike one that was current already; primary contexts keep theirs.
bool BoundAfterDeath(const Context& context) {
  if (context.alive() || context.primary()) return false;
  return CallingStack().top_entry()->bound.sequence > context.record().destroyed.sequence;
}

// A live context by its handle; null means the current one.
CUresult NeedContext(CUcontext handle, Context** context) {
  if (handle == nullptr) return handlers::NeedContext(context);
  Liveness liveness;
  *context = Driver::Get().handles().PeekContext(handle, &liveness);
  if (*context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (!(*context)->alive()) {
    return RefuseHandle(Liveness::kDestroyed, (*context)->record(), handle, "ctx", false);
  }
  return CUDA_SUCCESS;
}

// Two entries got a second form in 13.0 that takes the context as one more argument. A program that
// takes every `_v2` for the same call leaves `ctx` to chance. A real driver reads through such a
// value and mostly crashes (recorded on an H200: 4 of 6 values); here it means the current context,
// dead or alive, and the call is named.
CUresult NeedContextArgument(CUcontext handle, Context** context) {
  if (handle == nullptr) return NeedAnyContext(context);
  Liveness liveness;
  *context = Driver::Get().handles().PeekContext(handle, &liveness);
  if (*context != nullptr) return CUDA_SUCCESS;
  audit::Raise(audit::Rule::kHandleForeign,
               {.message = "No context: is the entry called with the arguments of its form before "
                           "13.0? Taken for the current one",
                .argument = "ctx",
                .handle = reinterpret_cast<uint64_t>(handle)});
  return NeedAnyContext(context);
}

CUresult Synchronize(Context& context) {
  context.Synchronize();
  context.TakeAllGivenUp();
  return Driver::Get().sticky_error();
}

bool IsLimit(int limit) { return limit >= 0 && limit < CU_LIMIT_MAX; }

// What a limit becomes when a program asks for `value`; false when it may not (recorded on an
// H200).
bool AdmitLimit(CUlimit limit, size_t* value) {
  constexpr size_t kMostStack = 512 << 10;
  constexpr size_t kLeastPrintfFifo = 512 << 10;
  if (limit == CU_LIMIT_STACK_SIZE && *value > kMostStack) return false;
  if (limit == CU_LIMIT_PRINTF_FIFO_SIZE) *value = std::max(*value, kLeastPrintfFifo);
  return true;
}

}  // namespace

CUresult cuCtxGetDevice(CUdevice* device) {
  Context* context = nullptr;
  if (CUresult result = NeedAnyContext(&context)) return result;
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = BoundAfterDeath(*context) ? CU_DEVICE_CPU : context->device().ordinal();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  Context* context = nullptr;
  if (CUresult result = NeedContextArgument(ctx, &context)) return result;
  // A dead context still answers (recorded on an H200).
  if (!context->alive() && reinterpret_cast<uint64_t>(ctx) == context->handle()) {
    RefuseHandle(Liveness::kDestroyed, context->record(), ctx, "ctx", false);
  }
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = context->device().ordinal();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  Context* context = nullptr;
  if (CUresult result = NeedAnyContext(&context)) return result;
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = context->flags();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (!AreContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
  context->set_flags(flags);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(ctx, &context)) return result;
  if (ctxId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *ctxId = context->id();
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  return Synchronize(*context);
}

CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  if (ctx == nullptr) return cuCtxSynchronize();
  Context* context = nullptr;
  if (CUresult result = NeedContextArgument(ctx, &context)) return result;
  if (!context->alive()) {
    return RefuseHandle(Liveness::kDestroyed, context->record(), ctx, "ctx", false);
  }
  return Synchronize(*context);
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (!IsLimit(limit)) return CUDA_ERROR_INVALID_VALUE;
  if (context->limits[limit].load(std::memory_order_relaxed) == kNoLimit)
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  if (!AdmitLimit(limit, &value)) return CUDA_ERROR_INVALID_VALUE;
  context->limits[limit].store(value, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (pvalue == nullptr || !IsLimit(limit)) return CUDA_ERROR_INVALID_VALUE;
  const uint64_t value = context->limits[limit].load(std::memory_order_relaxed);
  if (value == kNoLimit) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *pvalue = value;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (pconfig == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pconfig = static_cast<CUfunc_cache>(context->cache_config.load(std::memory_order_relaxed));
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL)
    return CUDA_ERROR_INVALID_VALUE;
  context->cache_config.store(config, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (pConfig == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}

// Devices since compute capability 5.0 have four-byte banks and take the call without effect.
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE ||
      config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  Context* context = nullptr;
  const CUresult result = NeedContext(ctx, &context);
  // As recorded: of a dead context that is named, unlike cuCtxGetId.
  if (result == CUDA_ERROR_CONTEXT_IS_DESTROYED && ctx != nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (result != CUDA_SUCCESS) return result;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = context->api_version;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  const DeviceDescription& device = context->device().description();
  if (leastPriority != nullptr) *leastPriority = device.least_priority;
  if (greatestPriority != nullptr) *greatestPriority = device.greatest_priority;
  return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache() {
  Context* context = nullptr;
  return handlers::NeedContext(&context);
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam* pExecAffinity, CUexecAffinityType type) {
  Context* context = nullptr;
  if (CUresult result = handlers::NeedContext(&context)) return result;
  if (pExecAffinity == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // As recorded, the type is written before it is looked at.
  pExecAffinity->type = type;
  if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  int multiprocessors = 0;
  context->device().Attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &multiprocessors);
  pExecAffinity->param.smCount.val = static_cast<unsigned>(multiprocessors);
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
