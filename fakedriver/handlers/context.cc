// SPDX-License-Identifier: Apache-2.0
//
// Making, ending and switching contexts.
#include "fakedriver/audit/finding.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/context_flags.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/reclaimed.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUcontext HandleOf(const Context* context) {
  return context == nullptr ? nullptr : reinterpret_cast<CUcontext>(context->handle());
}

CUresult Create(CUcontext* pctx, unsigned flags, CUdevice dev) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Driver& driver = Driver::Get();
  Device* device = driver.device(dev);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (!AreContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
  const Ref<Context> context = Make<Context>(*device, false, flags);
  driver.handles().Insert(context);
  driver.AddContext(context);
  CallingStack().Push(*context, true);
  *pctx = HandleOf(context.get());
  return CUDA_SUCCESS;
}

// A context by its handle, dead or alive. Stacks take dead ones, too (measured).
CUresult FindContext(CUcontext handle, Context** context) {
  Liveness liveness;
  *context = Driver::Get().handles().PeekContext(handle, &liveness);
  if (*context != nullptr) return CUDA_SUCCESS;
  audit::Raise(
      liveness == Liveness::kForeign ? audit::Rule::kHandleForeign : audit::Rule::kHandleWrongKind,
      {.argument = "ctx", .handle = reinterpret_cast<uint64_t>(handle)});
  return CUDA_ERROR_INVALID_CONTEXT;
}

CUresult Destroy(CUcontext ctx) {
  if (ctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (CUresult result = FindContext(ctx, &context)) return result;
  if (context->primary()) return CUDA_ERROR_INVALID_CONTEXT;
  std::vector<ObjectRecord> reclaimed;
  if (!context->Destroy(&reclaimed)) {
    if (Driver::Get().handles().TakeAmbiguous(context->handle())) return CUDA_SUCCESS;
    return RefuseHandle(Liveness::kDestroyed, context->record(), ctx, "ctx", true);
  }
  ReportReclaimed(reclaimed);
  if (CurrentContext() == context) CallingStack().Pop();
  return CUDA_SUCCESS;
}

CUresult Push(CUcontext ctx) {
  if (ctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (CUresult result = FindContext(ctx, &context)) return result;
  CallingStack().Push(*context);
  return CUDA_SUCCESS;
}

CUresult Pop(CUcontext* pctx) {
  ContextStack& stack = CallingStack();
  if (stack.empty()) {
    audit::Raise(audit::Rule::kContextStackUnderflow);
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  const Context* popped = stack.Pop();
  if (pctx != nullptr) *pctx = HandleOf(popped);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return Create(pctx, flags, dev);
}
CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return Create(pctx, flags, dev);
}

// CUDA driver API: execution affinity needs MPS, which the fake's devices do not run under.
CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam*, int numParams, unsigned int flags,
                        CUdevice dev) {
  if (numParams != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return Create(pctx, flags, dev);
}

CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags,
                        CUdevice dev) {
  if (ctxCreateParams != nullptr) {
    if (ctxCreateParams->numExecAffinityParams != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    if (ctxCreateParams->cigParams != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  }
  return Create(pctx, flags, dev);
}

// CUDA driver API: deprecated use counts. The last detach destroys; a primary context is left alone
// (recorded).
CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  if (pctx == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  context->uses.fetch_add(1, std::memory_order_relaxed);
  *pctx = HandleOf(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext ctx) {
  if (ctx == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  Context* context = nullptr;
  if (CUresult result = FindContext(ctx, &context)) return result;
  if (context->primary()) return CUDA_SUCCESS;
  if (context->alive() && context->uses.fetch_sub(1, std::memory_order_relaxed) > 1)
    return CUDA_SUCCESS;
  return Destroy(ctx);
}

CUresult cuCtxDestroy(CUcontext ctx) { return Destroy(ctx); }
CUresult cuCtxDestroy_v2(CUcontext ctx) { return Destroy(ctx); }
CUresult cuCtxPushCurrent(CUcontext ctx) { return Push(ctx); }
CUresult cuCtxPushCurrent_v2(CUcontext ctx) { return Push(ctx); }
CUresult cuCtxPopCurrent(CUcontext* pctx) { return Pop(pctx); }
CUresult cuCtxPopCurrent_v2(CUcontext* pctx) { return Pop(pctx); }

CUresult cuCtxSetCurrent(CUcontext ctx) {
  Context* context = nullptr;
  if (ctx != nullptr) {
    if (CUresult result = FindContext(ctx, &context)) return result;
  }
  CallingStack().SetTop(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* pctx) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pctx = HandleOf(CurrentContext());
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
