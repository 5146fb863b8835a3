// SPDX-License-Identifier: Apache-2.0
//
// The same kernels in OpenCL C on the systems that run OpenCL on a processor: Oclgrind, which
// interprets and checks as the machine does, and PoCL, which compiles. Speeds are in the machine's
// lane instructions, so that equal work counts equally. Link with speed_benchmark.cc.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "fakedriver/exec/speed_kernels.h"

namespace culprit::exec {
namespace {

// Sums of a block go to a word of its own, since OpenCL 1.2 has no shuffle and no 64-bit atomics.
constexpr char kSource[] = R"(
kernel void hash_loop(global uint* out, uint rounds) {
  uint i = get_global_id(0);
  uint h = i * 2654435761u + 1;
  for (uint n = 0; n < rounds; ++n) {
    h ^= h << 13;
    h ^= h >> 17;
    h ^= h << 5;
    h = h * 1664525u + (1013904223u ^ n);
  }
  out[i] = h;
}
constant ushort taps[5] = {3571, 16004, 26386, 16004, 3571};
kernel void motion(global const uchar* source, global const ushort* before,
                   global ushort* blurred, uint width, uint height, uint stride,
                   global uint* sad) {
  local uint tile[20][20];
  local uint sum_of_block;
  int tx = get_local_id(0), ty = get_local_id(1);
  int x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 16;
  if (tx == 0 && ty == 0) sum_of_block = 0;
  for (int k = ty * 16 + tx; k < 400; k += 256) {
    int x = abs(x0 + k % 20 - 2), y = abs(y0 + k / 20 - 2);
    if (x >= (int)width) x = 2 * width - x - 1;
    if (y >= (int)height) y = 2 * height - y - 1;
    tile[k / 20][k % 20] = source[y * stride + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = x0 + tx, y = y0 + ty;
  uint difference = 0;
  if (x < (int)width && y < (int)height) {
    uint sum = 0;
    for (int i = 0; i < 5; ++i) {
      uint line = 0;
      for (int j = 0; j < 5; ++j) line += taps[j] * tile[ty + j][tx + i];
      sum += taps[i] * ((line + 128) >> 8);
    }
    ushort value = (sum + 32768) >> 16;
    blurred[y * width + x] = value;
    difference = abs((int)value - (int)before[y * width + x]);
  }
  atomic_add(&sum_of_block, difference);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tx == 0 && ty == 0) sad[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum_of_block;
}
kernel void moments(global const uchar* a, global const uchar* b, global float* out, uint width,
                    uint height, uint stride) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x + 9 > width || y + 9 > height) return;
  uint sum_a = 0, sum_b = 0;
  ulong aa = 0, bb = 0, ab = 0;
  for (int j = 0; j < 9; ++j) {
    global const uchar* row_a = a + (y + j) * stride + x;
    global const uchar* row_b = b + (y + j) * stride + x;
    for (int i = 0; i < 9; ++i) {
      uint p = row_a[i], q = row_b[i];
      sum_a += p;
      sum_b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  float mean_a = sum_a / 81.0f, mean_b = sum_b / 81.0f;
  float var_a = aa / 81.0f - mean_a * mean_a, var_b = bb / 81.0f - mean_b * mean_b;
  float cov = ab / 81.0f - mean_a * mean_b;
  float gain = cov / (var_a + 1e-10f);
  float residual = var_b - gain * cov;
  out[y * width + x] = log2(1.0f + gain * gain * var_a / (residual * residual + 2.0f));
}
)";

// The first processor of the platform whose name begins with `name`, or null.
cl_device_id FindDevice(const std::string& name, cl_platform_id* platform) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return nullptr;
  for (cl_uint n = 0; n < count && n < 16; ++n) {
    char found[256] = "";
    clGetPlatformInfo(platforms[n], CL_PLATFORM_NAME, sizeof found, found, nullptr);
    cl_device_id device = nullptr;
    if (!std::string(found).starts_with(name)) continue;
    if (clGetDeviceIDs(platforms[n], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
      continue;
    *platform = platforms[n];
    return device;
  }
  return nullptr;
}

// Objects of OpenCL live as long as the process: the benchmark makes a few and ends.
void OpenCl(benchmark::State& state, const char* name, SpeedKernel which) {
  cl_platform_id platform = nullptr;
  cl_device_id device = FindDevice(name, &platform);
  if (device == nullptr) return state.SkipWithError("this OpenCL platform is not installed");
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  const char* source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS)
    return state.SkipWithError("the kernels do not compile");
  cl_kernel kernel = clCreateKernel(program, NameOf(which), &error);
  const size_t words = size_t{kSpeedWidth} * kSpeedHeight;
  auto buffer = [&](std::vector<uint8_t> bytes) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(),
                          bytes.data(), &error);
  };
  const cl_mem a = buffer(SpeedPicture(1));
  const cl_mem second = which == SpeedKernel::kMotion ? buffer(std::vector<uint8_t>(words * 2))
                                                      : buffer(SpeedPicture(2));
  const cl_mem out = buffer(std::vector<uint8_t>(words * 4));
  const cl_mem sums = buffer(std::vector<uint8_t>(words));
  cl_uint position = 0;
  auto pass = [&](const auto& value) { clSetKernelArg(kernel, position++, sizeof value, &value); };
  if (which == SpeedKernel::kHash) {
    pass(out);
    pass(kHashRounds);
  } else {
    pass(a);
    pass(second);
    pass(out);
    pass(kSpeedWidth);
    pass(kSpeedHeight);
    pass(kSpeedWidth);
    if (which == SpeedKernel::kMotion) pass(sums);
  }
  const SpeedGeometry g = GeometryOf(which);
  const size_t local[] = {g.threads[0], g.threads[1]};
  const size_t global[] = {size_t{g.blocks[0]} * g.threads[0], size_t{g.blocks[1]} * g.threads[1]};
  auto run = [&] {
    error = clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr);
    if (error == CL_SUCCESS) error = clFinish(queue);
  };
  run();  // PoCL compiles for the sizes of a launch when it first sees them
  for (auto _ : state) run();
  if (error != CL_SUCCESS) state.SkipWithError("the launch fails");
  ReportLaneInstructions(state, LaneInstructionsOf(which));
}

#define CULPRIT_OPENCL(system, name, kernel, which)         \
  BENCHMARK_CAPTURE(OpenCl, system##_##kernel, name, which) \
      ->Unit(benchmark::kMillisecond)                       \
      ->MeasureProcessCPUTime()
CULPRIT_OPENCL(oclgrind, "Oclgrind", hash, SpeedKernel::kHash);
CULPRIT_OPENCL(oclgrind, "Oclgrind", motion, SpeedKernel::kMotion);
CULPRIT_OPENCL(oclgrind, "Oclgrind", moments, SpeedKernel::kMoments);
CULPRIT_OPENCL(pocl, "Portable Computing Language", hash, SpeedKernel::kHash);
CULPRIT_OPENCL(pocl, "Portable Computing Language", motion, SpeedKernel::kMotion);
CULPRIT_OPENCL(pocl, "Portable Computing Language", moments, SpeedKernel::kMoments);

}  // namespace
}  // namespace culprit::exec
