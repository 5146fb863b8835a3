// SPDX-License-Identifier: Apache-2.0
//
// The linker, for PTX. Its output is an image that holds the texts; they are read once here, so
// that errors show where a program expects them, and again when the image is loaded.
#include <memory>
#include <string>
#include <vector>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/link_state.h"
#include "fakedriver/core/module_image.h"
#include "fakedriver/handlers/device_runtime.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/jit_options.h"
#include "fakedriver/handlers/module_loading.h"
#include "fakedriver/handlers/program_cache.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult Create(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitOptions jit;
  if (CUresult result = jit.Read(count, options, values); result != CUDA_SUCCESS) return result;
  auto made = Make<LinkState>(*context);
  made->options = std::make_shared<JitOptions>(jit);
  *state = reinterpret_cast<CUlinkState>(Register(made));
  return CUDA_SUCCESS;
}

// PTX from whatever image type the caller names, or the device runtime library; other machine code
// cannot be linked here.
CUresult Add(LinkState& state, CUjitInputType type, std::span<const std::byte> image) {
  if (type == CU_JIT_INPUT_LIBRARY && IsDeviceRuntimeLibrary(image)) {
    state.texts.emplace_back(DeviceRuntimeText());
    return CUDA_SUCCESS;
  }
  if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY && type != CU_JIT_INPUT_CUBIN) {
    return type >= CU_JIT_NUM_INPUT_TYPES ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
  }
  const uint32_t sm = SmOf(state.context()->device());
  ModuleImage decoded = DecodeImage(image, sm);
  if (decoded.result != CUDA_SUCCESS) return decoded.result;
  for (std::string& text : decoded.ptx) {
    if (IsDeviceRuntimeText(text)) {
      state.texts.emplace_back(DeviceRuntimeText());
      continue;
    }
    // What one text alone can show is shown now; names it lacks may come with others.
    const LoadedImage loaded = LoadText(text, sm);
    if (loaded.result != CUDA_SUCCESS && !loaded.lacks_definition) {
      state.options->ReportError(loaded.log);
      return loaded.result;
    }
    state.texts.push_back(std::move(text));
  }
  return CUDA_SUCCESS;
}

CUresult AddData(CUlinkState handle, CUjitInputType type, const void* data, size_t size) {
  Ref<LinkState> state;
  if (CUresult result = Need<LinkState>(handle, "state", &state); result != CUDA_SUCCESS) {
    return result;
  }
  if (data == nullptr || size == 0) return CUDA_ERROR_INVALID_VALUE;
  if (!state->image.empty()) return CUDA_ERROR_INVALID_VALUE;  // complete already
  return Add(*state, type, {static_cast<const std::byte*>(data), size});
}

CUresult AddFile(CUlinkState handle, CUjitInputType type, const char* path) {
  std::vector<std::byte> image;
  if (CUresult result = ReadImageFile(path, &image); result != CUDA_SUCCESS) return result;
  return AddData(handle, type, image.data(), image.size());
}

}  // namespace

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues,
                      CUlinkState* stateOut) {
  return Create(numOptions, options, optionValues, stateOut);
}
CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option* options, void** optionValues,
                         CUlinkState* stateOut) {
  return Create(numOptions, options, optionValues, stateOut);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size,
                       const char* /*name*/, unsigned int, CUjit_option*, void**) {
  return AddData(state, type, data, size);
}
CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t size,
                          const char* /*name*/, unsigned int, CUjit_option*, void**) {
  return AddData(state, type, data, size);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int,
                       CUjit_option*, void**) {
  return AddFile(state, type, path);
}
CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned int,
                          CUjit_option*, void**) {
  return AddFile(state, type, path);
}

CUresult cuLinkComplete(CUlinkState handle, void** cubinOut, size_t* sizeOut) {
  Ref<LinkState> state;
  if (CUresult result = Need<LinkState>(handle, "state", &state); result != CUDA_SUCCESS) {
    return result;
  }
  if (cubinOut == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (state->image.empty()) {
    const uint32_t sm = SmOf(state->context()->device());
    std::vector<std::byte> image =
        MakeLinkedImage(state->texts, sm, state->options->register_limit());
    const LoadedImage loaded = LoadImage(image, sm);
    if (loaded.result != CUDA_SUCCESS) {
      state->options->ReportError(loaded.log);
      return loaded.result;
    }
    state->image = std::move(image);
  }
  *cubinOut = state->image.data();
  if (sizeOut != nullptr) *sizeOut = state->image.size();
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState handle) {
  Ref<LinkState> state;
  if (CUresult result = NeedForDestroy<LinkState>(handle, "state", &state);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (!state) return CUDA_SUCCESS;
  return Unregister(state) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // namespace culprit::fakedriver::handlers
