// SPDX-License-Identifier: Apache-2.0
// Memory and events between processes. Handles travel through a table that all processes of a
// scenario share; operands name its rows by number.
#include "suites/driver_atlas/operations_ipc.h"

#include <sys/mman.h>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

struct IpcRow {
  CUipcMemHandle memory;
  CUipcEventHandle event;
};
constexpr size_t kRows = 16;
IpcRow* g_table = nullptr;

IpcRow& Row(uint64_t number) { return g_table[number % kRows]; }

}  // namespace

void PrepareIpcTable() {
  void* pages = mmap(nullptr, kRows * sizeof(IpcRow), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_table = pages == MAP_FAILED ? nullptr : static_cast<IpcRow*>(pages);
}

void AddIpcOperations(std::vector<Operation>* out) {
  ATLAS_OPERATION("export_memory", "P i", {
    return ATLAS_DRIVER(cuIpcGetMemHandle)(&Row(call.Value(1)).memory, call.In<CUdeviceptr>(0));
  });
  // Row, flags.
  ATLAS_OPERATION("import_memory", "P+ i i", {
    return ATLAS_DRIVER(cuIpcOpenMemHandle)(call.Out<CUdeviceptr>(0), Row(call.Value(1)).memory,
                                            call.In<unsigned>(2));
  });
  ATLAS_BIND(cuIpcCloseMemHandle, "P");
  ATLAS_OPERATION("export_event", "E i", {
    return ATLAS_DRIVER(cuIpcGetEventHandle)(&Row(call.Value(1)).event, call.In<CUevent>(0));
  });
  ATLAS_OPERATION("import_event", "E+ i", {
    return ATLAS_DRIVER(cuIpcOpenEventHandle)(call.Out<CUevent>(0), Row(call.Value(1)).event);
  });
  // Are the handles in two rows the same bytes?
  ATLAS_OPERATION("same_memory_handle", "i i", {
    const bool same = std::memcmp(&Row(call.Value(0)).memory, &Row(call.Value(1)).memory,
                                  sizeof(CUipcMemHandle)) == 0;
    call.extra = same ? "same" : "different";
    return CUDA_SUCCESS;
  });
}

}  // namespace culprit::atlas
