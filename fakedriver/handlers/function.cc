// SPDX-License-Identifier: Apache-2.0
//
// Functions: attributes, names, parameters. A function is found whatever context is current.
#include "fakedriver/core/function.h"

#include "fakedriver/core/module.h"
#include "fakedriver/exec/program.h"
#include "fakedriver/handlers/function_attributes.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return GetAttribute(OnDevice(*function), function->settings, attrib, pi);
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  return SetAttribute(OnDevice(*function), function->settings, attrib, value);
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  function->settings.cache_config.store(config, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  const bool known = config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                     config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  if (hmod == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *hmod = reinterpret_cast<CUmodule>(function->module().handle());
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = OnDevice(*function).info.name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset,
                            size_t* paramSize) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(func, "func", &function); result != CUDA_SUCCESS) {
    return result;
  }
  const std::vector<exec::Parameter>& parameters = OnDevice(*function).info.parameters;
  if (paramOffset == nullptr || paramIndex >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *paramOffset = parameters[paramIndex].offset;
  if (paramSize != nullptr) *paramSize = parameters[paramIndex].size;
  return CUDA_SUCCESS;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction hfunc) {
  Ref<Function> function;
  if (CUresult result = Need<Function>(hfunc, "function", &function); result != CUDA_SUCCESS) {
    return result;
  }
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction hfunc) {
  Ref<Function> function;
  return Need<Function>(hfunc, "function", &function);
}

}  // namespace culprit::fakedriver::handlers
