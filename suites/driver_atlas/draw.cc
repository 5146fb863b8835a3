// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/draw.h"

#include <cstdint>
#include <string>

namespace culprit::atlas {
namespace {

// Operations drawn, with their weight. Streams are kept synchronous enough that no answer depends
// on time: no query of a busy stream, no host function that sleeps.
struct Choice {
  const char* operation;
  int weight;
  bool context;  // only with sequences of contexts
};
constexpr Choice kChoices[] = {
    {"cuStreamCreate", 4, false},
    {"cuStreamCreateWithPriority", 2, false},
    {"cuStreamDestroy", 3, false},
    {"cuStreamSynchronize", 3, false},
    {"cuStreamGetFlags", 2, false},
    {"cuStreamGetPriority", 1, false},
    {"cuStreamGetCtx", 2, false},
    {"cuStreamWaitEvent", 3, false},
    {"cuEventCreate", 4, false},
    {"cuEventDestroy", 3, false},
    {"cuEventRecord", 4, false},
    {"cuEventSynchronize", 3, false},
    {"cuEventElapsedTime", 2, false},
    {"cuMemAlloc", 5, false},
    {"cuMemFree", 4, false},
    {"cuMemAllocPitch", 2, false},
    {"cuMemGetAddressRange", 3, false},
    {"cuMemHostAlloc", 2, false},
    {"cuMemFreeHost", 2, false},
    {"cuMemHostGetFlags", 1, false},
    {"cuMemHostGetDevicePointer", 1, false},
    {"attribute", 3, false},
    {"upload", 3, false},
    {"download", 3, false},
    {"cuMemcpyDtoD", 2, false},
    {"cuMemsetD8", 3, false},
    {"cuMemsetD16", 1, false},
    {"cuMemsetD32", 2, false},
    {"cuMemsetD2D8", 1, false},
    {"upload2d", 2, false},
    {"cuMemAllocAsync", 3, false},
    {"cuMemFreeAsync", 3, false},
    {"load", 2, false},
    {"cuModuleUnload", 2, false},
    {"cuModuleGetFunction", 3, false},
    {"cuModuleGetGlobal", 2, false},
    {"cuFuncGetAttribute", 2, false},
    {"launch", 3, false},
    {"launch_on", 4, false},
    {"cuCtxGetCurrent", 2, false},
    {"cuCtxGetDevice", 1, false},
    {"cuCtxSynchronize", 2, false},
    {"cuCtxGetFlags", 1, false},
    {"cuCtxGetApiVersion", 1, false},
    {"cuGraphCreate", 2, false},
    {"cuGraphDestroy", 1, false},
    {"empty_node", 2, false},
    {"memset_node", 2, false},
    {"node_count", 2, false},
    {"instantiate", 2, false},
    {"cuGraphLaunch", 2, false},
    {"cuGraphExecDestroy", 1, false},
    {"user_object", 1, false},
    {"cuGraphRetainUserObject", 1, false},
    {"cuUserObjectRelease", 1, false},
    {"pool", 1, false},
    {"cuMemAllocFromPoolAsync", 1, false},
    {"context", 4, true},
    {"cuCtxDestroy", 3, true},
    {"cuCtxPushCurrent", 4, true},
    {"cuCtxPopCurrent", 4, true},
    {"cuCtxSetCurrent", 4, true},
    {"cuDevicePrimaryCtxRetain", 2, true},
    {"cuDevicePrimaryCtxRelease", 2, true},
    {"cuDevicePrimaryCtxGetState", 2, true},
};

std::string AnyNumber(Random& random) {
  return random.Pick<std::string>(
      {"0", "1", "2", "3", "4", "8", "16", "31", "64", "100", "512", "1000", "4096", "70000"});
}

}  // namespace

const char* DrawOperation(Random& random, bool contexts) {
  auto weight = [&](const Choice& choice) {
    return choice.context && !contexts ? 0 : choice.weight;
  };
  int total = 0;
  for (const Choice& choice : kChoices) total += weight(choice);
  auto left = static_cast<int>(random.Below(static_cast<uint64_t>(total)));
  for (const Choice& choice : kChoices) {
    left -= weight(choice);
    if (left < 0) return choice.operation;
  }
  return kChoices[0].operation;
}

std::string DrawNumber(Random& random, const std::string& operation, size_t i) {
  if (operation == "cuStreamCreate")
    return random.Pick<std::string>({"0", "1", "0", "1", "2", "7"});
  if (operation == "cuStreamCreateWithPriority")
    return i == 1 ? random.Pick<std::string>({"0", "1", "3"})
                  : random.Pick<std::string>({"0", "-1", "-5", "-9", "1"});
  if (operation == "cuEventCreate")
    return random.Pick<std::string>({"0", "1", "2", "3", "0", "2", "4", "9"});
  if (operation == "cuStreamWaitEvent") return random.Pick<std::string>({"0", "0", "0", "1", "2"});
  if (operation == "cuMemHostAlloc")
    return i == 2 ? random.Pick<std::string>({"0", "1", "2", "3", "4", "8"}) : AnyNumber(random);
  if (operation == "cuMemHostGetDevicePointer" || operation == "cuGraphCreate")
    return random.Pick<std::string>({"0", "0", "0", "1"});
  if (operation == "attribute") return random.Pick<std::string>({"1", "2", "6", "7", "8", "9"});
  if (operation == "cuFuncGetAttribute")
    return random.Pick<std::string>({"0", "1", "2", "3", "10", "99"});
  if (operation == "launch_on" && i >= 3)
    return random.Pick<std::string>({"1", "1", "32", "64", "0", "1024", "1025"});
  if (operation == "launch") return random.Pick<std::string>({"1", "1", "32", "0", "256", "1025"});
  if (operation == "instantiate") return "0";
  if (operation == "user_object") return random.Pick<std::string>({"1", "1", "2", "0"});
  if (operation == "cuGraphRetainUserObject" && i == 3) return random.Pick<std::string>({"0", "1"});
  if (operation == "cuUserObjectRelease" || operation == "cuGraphRetainUserObject") return "1";
  if (operation == "cuMemAllocPitch" && i != 4) {
    return random.Pick<std::string>({"0", "1", "31", "100", "512", "1000"});
  }
  if (operation == "cuMemAllocPitch" && i == 4)
    return random.Pick<std::string>({"4", "8", "16", "4", "1", "0"});
  if (operation == "context")
    return i == 1 ? random.Pick<std::string>({"0", "0", "1", "4", "99"}) : "0";
  if (operation == "pool" || operation == "cuDevicePrimaryCtxRetain" ||
      operation == "cuDevicePrimaryCtxRelease" || operation == "cuDevicePrimaryCtxGetState") {
    return random.OneIn(10) ? "99" : "0";
  }
  return AnyNumber(random);
}

std::string DrawText(Random& random, const std::string& operation) {
  if (operation == "load")
    return random.Pick<std::string>({"add_one", "add_one", "add_one", "prose", "nil"});
  if (operation == "cuModuleGetGlobal")
    return random.Pick<std::string>({"counter", "limit", "missing"});
  return random.Pick<std::string>({"add_one", "nothing", "nothing", "shared_use", "missing"});
}

}  // namespace culprit::atlas
