// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/module_loading.h"

#include <cstring>
#include <string>
#include <utility>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/bytes_in_place.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/module_image.h"
#include "fakedriver/exec/launch.h"
#include "fakedriver/exec/program.h"
#include "fakedriver/handlers/program_cache.h"
#include "input/input_error.h"
#include "input/text_file.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult PlaceVariable(Context& context, const exec::GlobalInfo& info, Ref<Allocation>* placed) {
  const Device& device = context.device();
  const MemoryKind kind = info.managed ? MemoryKind::kManaged : MemoryKind::kGlobal;
  auto variable = Make<Allocation>(kind, &context, device.ordinal(), info.size);
  Memory& memory = Memory::Get();
  const CUresult result =
      info.managed ? memory.PlaceManaged(variable, device) : memory.Place(variable, device);
  if (result != CUDA_SUCCESS) return result;
  *placed = std::move(variable);
  return CUDA_SUCCESS;
}

}  // namespace

uint32_t SmOf(const Device& device) {
  int major = 0;
  int minor = 0;
  device.Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
  device.Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
  return static_cast<uint32_t>(10 * major + minor);
}

CUresult LoadProgram(const void* image, const Device& device, JitOptions& options,
                     std::shared_ptr<const LoadedProgram>* program) {
  LoadedImage loaded = LoadImage(ImageBytes(image), SmOf(device));
  options.ReportError(loaded.log);
  if (loaded.result != CUDA_SUCCESS) {
    audit::Raise(audit::Rule::kModuleRejected, {.message = loaded.log, .argument = "image"});
    return loaded.result;
  }
  options.ReportInfo("");
  *program = Limited(std::move(loaded.program), options.register_limit());
  return CUDA_SUCCESS;
}

CUresult MakeModule(Context& context, std::shared_ptr<const LoadedProgram> program,
                    ModuleOwner owner, Ref<Module>* module) {
  auto made = Make<Module>(context, std::move(program));
  const std::vector<exec::GlobalInfo>& globals = made->program().globals();
  std::vector<Ref<Allocation>> variables(globals.size());
  auto state = std::make_shared<exec::ModuleState>();
  state->global_addresses.resize(globals.size());
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < globals.size() && result == CUDA_SUCCESS; ++i) {
    if (globals[i].kind != exec::GlobalKind::kVariable || globals[i].size == 0) continue;
    result = PlaceVariable(context, globals[i], &variables[i]);
    if (result == CUDA_SUCCESS) state->global_addresses[i] = variables[i]->base();
  }
  made->SetVariables(variables, state);
  if (result != CUDA_SUCCESS) {
    made->TearDown();
    return result;
  }
  for (size_t i = 0; i < globals.size(); ++i) {
    if (!variables[i]) continue;
    const std::vector<std::byte> bytes =
        made->program().InitialBytes(static_cast<uint32_t>(i), *state);
    const BytesInPlace in_place;
    std::memcpy(variables[i]->backing(), bytes.data(), bytes.size());
    variables[i]->MarkWritten(variables[i]->base(), bytes.size());
  }
  if (owner == ModuleOwner::kLibrary) made->set_of_library();
  Register(made);
  *module = std::move(made);
  return CUDA_SUCCESS;
}

CUresult ReadImageFile(const char* name, std::vector<std::byte>* image) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  try {
    const std::string bytes = ReadTextFile(name);
    image->resize(bytes.size() + 1);
    std::memcpy(image->data(), bytes.data(), bytes.size());
    return CUDA_SUCCESS;
  } catch (const InputError&) {
    return CUDA_ERROR_FILE_NOT_FOUND;  // of a folder: guessed
  }
}

CUresult FindVariable(const Module& module, const char* name, Ref<Allocation>* variable) {
  const std::optional<uint32_t> index = module.program().FindGlobal(name);
  if (!index || !module.variables()[*index]) return CUDA_ERROR_NOT_FOUND;
  *variable = module.variables()[*index];
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
