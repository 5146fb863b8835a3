// SPDX-License-Identifier: Apache-2.0
//
// Prints what device 0 of a real driver says about itself, as rows of a device description
// (fakedriver/devices/*.def).
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

struct Named {
  int value;
  const char* name;
};
constexpr Named kAttributes[] = {
#include "attribute_names.inc"
};
constexpr Named kLimits[] = {
#include "limit_names.inc"
};

void Need(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "device_record: %s: CUresult %d\n", call, result);
  std::exit(1);
}

void PrintFunctionAttributes(CUdevice device) {
  static const char* ptx =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 p) { .reg .b64 %d; ld.param.u64 %d, [p]; ret; }\n";
  CUmodule module;
  Need(cuModuleLoadData(&module, ptx), "cuModuleLoadData");
  CUfunction function;
  Need(cuModuleGetFunction(&function, module, "k"), "cuModuleGetFunction");
  for (int attribute = 0; attribute < 32; ++attribute) {
    int value = 0;
    const CUresult result =
        cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(attribute), function);
    if (result == CUDA_SUCCESS) {
      std::printf("// function attribute %d of an empty kernel: %d\n", attribute, value);
    } else {
      std::printf("// function attribute %d: CUresult %d\n", attribute, result);
    }
  }
  cuModuleUnload(module);
  for (int type = 0; type < 3; ++type) {
    int supported = 0;
    const CUresult result =
        cuDeviceGetExecAffinitySupport(&supported, static_cast<CUexecAffinityType>(type), device);
    std::printf("// execution affinity %d: CUresult %d, %d\n", type, result, supported);
  }
  size_t width = 0;
  for (int format : {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_FLOAT}) {
    for (unsigned channels : {1u, 2u, 4u}) {
      const CUresult result = cuDeviceGetTexture1DLinearMaxWidth(
          &width, static_cast<CUarray_format>(format), channels, device);
      std::printf("// linear texture, format %d, channels %u: CUresult %d, %zu\n", format, channels,
                  result, width);
    }
  }
}

}  // namespace

int main() {
  Need(cuInit(0), "cuInit");
  CUdevice device = 0;
  Need(cuDeviceGet(&device, 0), "cuDeviceGet");
  int driver = 0;
  Need(cuDriverGetVersion(&driver), "cuDriverGetVersion");
  char name[128];
  Need(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
  size_t memory = 0;
  Need(cuDeviceTotalMem(&memory, device), "cuDeviceTotalMem");
  CUcontext context = nullptr;
  Need(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  Need(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  int least = 0;
  int greatest = 0;
  Need(cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange");

  std::printf("// SPDX-License-Identifier: Apache-2.0\n");
  std::printf(
      "// What a real %s answers under a driver of CUDA %d.%d; recorded by tools/device_record.\n",
      name, driver / 1000, driver % 1000 / 10);
  std::printf("DEVICE_TEXT(name, \"%s\")\n", name);
  std::printf("DEVICE_NUMBER(total_memory, %zu)\n", memory);
  std::printf("DEVICE_NUMBER(least_priority, %d)\n", least);
  std::printf("DEVICE_NUMBER(greatest_priority, %d)\n", greatest);
  for (const Named& attribute : kAttributes) {
    int value = 0;
    const CUresult result =
        cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute.value), device);
    if (result == CUDA_SUCCESS) {
      std::printf("DEVICE_ATTRIBUTE(%s, %d)\n", attribute.name, value);
    } else {
      std::printf("// %s: CUresult %d\n", attribute.name, result);
    }
  }
  for (const Named& limit : kLimits) {
    size_t value = 0;
    const CUresult result = cuCtxGetLimit(&value, static_cast<CUlimit>(limit.value));
    if (result == CUDA_SUCCESS) {
      std::printf("DEVICE_LIMIT(%s, %zu)\n", limit.name, value);
    } else {
      std::printf("// %s: CUresult %d\n", limit.name, result);
    }
  }
  PrintFunctionAttributes(device);
  return 0;
}
