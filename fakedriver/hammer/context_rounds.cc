// SPDX-License-Identifier: Apache-2.0
// Initialisation, devices, contexts, primary contexts, peers and the profiler.
#include <cstring>

#include "fakedriver/hammer/hand.h"

namespace culprit::fakedriver::hammer {
namespace {

void AskDevice(Hand& hand) {
  const auto& cu = hand.cu;
  int count = 0;
  Ok(cu.cuDeviceGetCount(&count));
  CUdevice device = -1;
  Ok(cu.cuDeviceGet(&device, 0));
  Ok(cu.cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  char name[64] = {};
  Ok(cu.cuDeviceGetName(name, sizeof name, 0));
  EXPECT_GT(std::strlen(name), 0u);
  CUuuid uuid{};
  Ok(cu.cuDeviceGetUuid_v2(&uuid, 0));
  char bus[32] = {};
  Ok(cu.cuDeviceGetPCIBusId(bus, sizeof bus, 0));
  Ok(cu.cuDeviceGetByPCIBusId(&device, bus));
  EXPECT_EQ(device, 0);
  for (int i = 1; i < 20; ++i) {
    int value = 0;
    Ok(cu.cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(i), 0));
  }
  int peer = -1;
  Ok(cu.cuDeviceCanAccessPeer(&peer, 0, 0));
  EXPECT_EQ(peer, 0);
}

void NameErrors(Hand& hand) {
  const auto& cu = hand.cu;
  const char* text = nullptr;
  Ok(cu.cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_VALUE");
  Ok(cu.cuGetErrorString(static_cast<CUresult>(424242), &text), CUDA_ERROR_INVALID_VALUE);
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  Ok(cu.cuGetProcAddress_v2("cuMemAlloc", &function, 13000, 0, &status));
  EXPECT_EQ(function, reinterpret_cast<void*>(cu.cuMemAlloc_v2));
}

// An entry that another thread makes fail, now and then.
void AskVersion(Hand& hand) {
  int version = 0;
  const CUresult result = hand.cu.cuDriverGetVersion(&version);
  EXPECT_TRUE(result == CUDA_SUCCESS || result == CUDA_ERROR_UNKNOWN) << result;
}

void OwnContext(Hand& hand) {
  const auto& cu = hand.cu;
  CUcontext own = nullptr;
  CUcontext current = nullptr;
  const unsigned scheduling = hand.Below(2) != 0 ? CU_CTX_SCHED_YIELD : CU_CTX_SCHED_SPIN;
  Ok(cu.cuCtxCreate_v4(&own, nullptr, scheduling, 0));
  Ok(cu.cuCtxGetCurrent(&current));
  EXPECT_EQ(current, own);
  unsigned flags = 0;
  Ok(cu.cuCtxGetFlags(&flags));
  EXPECT_EQ(flags & CU_CTX_SCHED_MASK, scheduling);
  unsigned version = 0;
  Ok(cu.cuCtxGetApiVersion(own, &version));
  unsigned long long id = 0, shared_id = 0;
  Ok(cu.cuCtxGetId(own, &id));
  Ok(cu.cuCtxGetId(hand.shared.context, &shared_id));
  EXPECT_NE(id, shared_id);
  size_t limit = 0;
  Ok(cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  Ok(cu.cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(limit, 2048u);
  Ok(cu.cuCtxPushCurrent_v2(hand.shared.context));
  Ok(cu.cuCtxPopCurrent_v2(&current));
  EXPECT_EQ(current, hand.shared.context);
  {
    OwnStream stream(hand);
    CUcontext owner = nullptr;
    Ok(cu.cuStreamGetCtx(stream, &owner));
    EXPECT_EQ(owner, own);
    OwnWords(hand, 16, 3).Are(3);
  }
  if (hand.Below(2) != 0) {  // what is in it when it ends, ends with it
    Ok(cu.cuCtxSynchronize());
    Ok(cu.cuCtxPopCurrent_v2(&current));
  }
  Ok(cu.cuCtxDestroy_v2(own));
  Ok(cu.cuCtxGetCurrent(&current));
  EXPECT_EQ(current, hand.shared.context);
}

void PrimaryContext(Hand& hand) {
  const auto& cu = hand.cu;
  CUcontext primary = nullptr;
  Ok(cu.cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_EQ(primary, hand.shared.context);
  unsigned flags = 0;
  int active = 0;
  Ok(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 1);
  Ok(cu.cuCtxSetCurrent(primary));
  Ok(cu.cuDevicePrimaryCtxRelease_v2(0));
}

void SharedContext(Hand& hand) {
  const auto& cu = hand.cu;
  CUdevice device = -1;
  Ok(cu.cuCtxGetDevice(&device));
  EXPECT_EQ(device, 0);
  int least = 1, greatest = 1;
  Ok(cu.cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  Ok(cu.cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE));
  Ok(cu.cuCtxGetCacheConfig(&cache));
  if (hand.Below(8) == 0) Ok(cu.cuCtxSynchronize());
  Ok(cu.cuCtxEnablePeerAccess(nullptr, 0), CUDA_ERROR_INVALID_CONTEXT);
}

void Profile(Hand& hand) {
  Ok(hand.cu.cuProfilerStart());
  Ok(hand.cu.cuProfilerStop());
}

}  // namespace

std::vector<NamedRound> ContextRounds() {
  return {{"device", AskDevice},
          {"errors", NameErrors},
          {"version", AskVersion},
          {"own context", OwnContext},
          {"primary context", PrimaryContext},
          {"shared context", SharedContext},
          {"profiler", Profile}};
}

}  // namespace culprit::fakedriver::hammer
