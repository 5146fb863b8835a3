// SPDX-License-Identifier: Apache-2.0
// Modules, functions, libraries and launches, on a few small PTX images.
#include <map>

#include "fakedriver/control/testing/add_one.h"
#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

#define ATLAS_PTX_HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

const std::string& Several() {
  static const std::string kernels =
      std::string(ATLAS_PTX_HEADER).append(fakedriver::testing::kAddOne).append(R"(
.const .align 8 .u64 limit = 7;
.visible .entry store(.param .u64 where)
{
  .reg .b64 %a0; .reg .b32 %r0;
  ld.param.u64 %a0, [where]; mov.u32 %r0, 7; st.global.u32 [%a0], %r0; ret;
}
.visible .entry trapped() { trap; ret; }
.visible .entry nothing() { ret; }
.visible .entry shared_use()
{ .shared .align 16 .b8 tile[1024]; .reg .b32 %r0; mov.u32 %r0, 1; st.shared.u32 [tile], %r0; ret; }
)");
  return kernels;
}

// Each image by the name that scenarios use.
const std::map<std::string, const char*>& Images() {
  static const std::map<std::string, const char*> images = {
      {"add_one", Several().c_str()},
      {"empty", ATLAS_PTX_HEADER},
      {"prose", "these words are no program"},
      {"future_version",
       ".version 99.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"},
      {"future_target",
       ".version 7.0\n.target sm_999\n.address_size 64\n.visible .entry k() { ret; }\n"},
      {"bad_opcode", ATLAS_PTX_HEADER ".visible .entry k() { frobnicate.u32 %r1; ret; }\n"},
      {"bad_register", ATLAS_PTX_HEADER ".visible .entry k() { mov.u32 %r1, 1; ret; }\n"},
      {"bad_type",
       ATLAS_PTX_HEADER ".visible .entry k() { .reg .f32 %f<2>; add.u32 %f0, %f1, %f1; ret; }\n"},
      {"bad_label", ATLAS_PTX_HEADER ".visible .entry k() { bra NOWHERE; ret; }\n"},
      {"unclosed", ATLAS_PTX_HEADER ".visible .entry k() { ret;\n"},
      {"unresolved",
       ATLAS_PTX_HEADER ".extern .func missing;\n.visible .entry k() { call missing; ret; }\n"},
      {"twice", ATLAS_PTX_HEADER ".visible .entry k() { ret; }\n.visible .entry k() { ret; }\n"},
      {"no_version", ".target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"},
      {"nothing", ""},
  };
  return images;
}

const char* Image(Call& call, size_t i) {
  const std::string name = call.Text(i);
  if (name == "nil") return nullptr;
  const auto found = Images().find(name);
  return found == Images().end() ? "" : found->second;
}

}  // namespace

void AddModuleOperations(std::vector<Operation>* out) {
  ATLAS_OPERATION("load", "M+ t", {
    return ATLAS_DRIVER(cuModuleLoadData)(call.Out<CUmodule>(0), Image(call, 1));
  });
  ATLAS_OPERATION("load_options", "M+ t i", {
    return ATLAS_DRIVER(cuModuleLoadDataEx)(call.Out<CUmodule>(0), Image(call, 1),
                                            call.In<unsigned>(2), nullptr, nullptr);
  });
  ATLAS_BIND(cuModuleLoad, "M+ t");
  ATLAS_BIND(cuModuleUnload, "M!");
  ATLAS_BIND(cuModuleGetFunction, "F* M t");
  ATLAS_BIND(cuModuleGetFunctionCount, "i* M");
  ATLAS_BIND(cuModuleGetGlobal, "P* i* M t");
  ATLAS_BIND(cuModuleGetLoadingMode, "i*");
  ATLAS_BIND(cuFuncGetAttribute, "i* i F");
  ATLAS_BIND(cuFuncSetAttribute, "F i i");
  ATLAS_BIND(cuFuncSetCacheConfig, "F i");
  ATLAS_BIND(cuFuncGetModule, "M* F");
  ATLAS_BIND(cuFuncIsLoaded, "i* F");
  ATLAS_BIND(cuFuncLoad, "F");
  ATLAS_OPERATION("function_name", "F", {
    const char* name = nullptr;
    const CUresult result = ATLAS_DRIVER(cuFuncGetName)(&name, call.In<CUfunction>(0));
    if (result == CUDA_SUCCESS)
      call.extra = name == nullptr ? "name=null" : std::string("name=") + name;
    return result;
  });
  ATLAS_BIND(cuOccupancyMaxActiveBlocksPerMultiprocessor, "i* F i i");
  // Library handles.
  ATLAS_OPERATION("library", "Y+ t", {
    return ATLAS_DRIVER(cuLibraryLoadData)(call.Out<CUlibrary>(0), Image(call, 1), nullptr, nullptr,
                                           0, nullptr, nullptr, 0);
  });
  ATLAS_BIND(cuLibraryUnload, "Y!");
  ATLAS_BIND(cuLibraryGetKernel, "K* Y t");
  ATLAS_BIND(cuLibraryGetModule, "M* Y");
  ATLAS_BIND(cuLibraryGetKernelCount, "i* Y");
  ATLAS_BIND(cuLibraryGetGlobal, "P* i* Y t");
  ATLAS_BIND(cuKernelGetFunction, "F* K");
  ATLAS_BIND(cuKernelGetAttribute, "i* i K i");
  // Launch of a kernel without parameters: function, grid, block, dynamic shared bytes, stream.
  ATLAS_OPERATION("launch", "F i i i S", {
    return ATLAS_DRIVER(cuLaunchKernel)(call.In<CUfunction>(0), call.In<unsigned>(1), 1, 1,
                                        call.In<unsigned>(2), 1, 1, call.In<unsigned>(3),
                                        call.In<CUstream>(4), nullptr, nullptr);
  });
  // Launch of (pointer, count): function, pointer, count, grid, block, stream.
  ATLAS_OPERATION("launch_on", "F P i i i S", {
    CUdeviceptr pointer = call.In<CUdeviceptr>(1);
    unsigned count = call.In<unsigned>(2);
    void* parameters[] = {&pointer, &count};
    return ATLAS_DRIVER(cuLaunchKernel)(call.In<CUfunction>(0), call.In<unsigned>(3), 1, 1,
                                        call.In<unsigned>(4), 1, 1, 0, call.In<CUstream>(5),
                                        parameters, nullptr);
  });
  // All six dimensions: function, grid x y z, block x y z, stream.
  ATLAS_OPERATION("launch_shape", "F i i i i i i S", {
    return ATLAS_DRIVER(cuLaunchKernel)(
        call.In<CUfunction>(0), call.In<unsigned>(1), call.In<unsigned>(2), call.In<unsigned>(3),
        call.In<unsigned>(4), call.In<unsigned>(5), call.In<unsigned>(6), 0, call.In<CUstream>(7),
        nullptr, nullptr);
  });
}

}  // namespace culprit::atlas
