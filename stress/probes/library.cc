// SPDX-License-Identifier: Apache-2.0
// A library, which belongs to no context, and the kernel and function handles got from it.
#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {
namespace {

class Library final : public Workload {
 public:
  explicit Library(Session& session) : Workload(session), image_(SmallModule()) {
    AddPair(
        "cuLibraryLoadData",
        [this] {
          Outcome loaded = driver().cuLibraryLoadData(&library_, image_.c_str(), nullptr, nullptr,
                                                      0, nullptr, nullptr, 0);
          if (!loaded.ok()) return loaded;
          CUkernel kernel = nullptr;
          if (Outcome got = driver().cuLibraryGetKernel(&kernel, library_, kSmallKernel);
              !got.ok()) {
            return got;
          }
          CUfunction function = nullptr;
          return driver().cuKernelGetFunction(&function, kernel);
        },
        "cuLibraryUnload", [this] { return driver().cuLibraryUnload(library_); });
  }

 private:
  const std::string image_;
  CUlibrary library_ = nullptr;
};

}  // namespace

const ProbeInfo kLibrary{
    .name = "library",
    .summary = "load a library, get kernel and function, unload it",
    .object = "one library",
    .cycles = 6000,
    .control_cycles = 2000,
    .make = MakeWorkload<Library>,
};

}  // namespace culprit::stress
