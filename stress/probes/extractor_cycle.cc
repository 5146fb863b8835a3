// SPDX-License-Identifier: Apache-2.0
#include "stress/probes/extractor_cycle.h"

#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {

ExtractorCycle::ExtractorCycle(Session& session) : Workload(session), image_(SmallModule()) {
  const size_t context = AddPair(
      "cuDevicePrimaryCtxRetain",
      [this] { return driver().cuDevicePrimaryCtxRetain(&context_, this->session().device()); },
      "cuDevicePrimaryCtxRelease",
      [this] { return driver().cuDevicePrimaryCtxRelease(this->session().device()); });
  AddStream(&state_stream_, {context});
  const size_t module = AddPair(
      "cuModuleLoadData", [this] { return LoadModule(); }, "cuModuleUnload",
      [this] { return driver().cuModuleUnload(module_); }, {context});
  SetControl(module);
  const size_t stream = AddStream(&stream_, {context});
  const size_t submitted = AddEvent(&submitted_, {context});
  const size_t finished = AddEvent(&finished_, {context});
  for (Picture& picture : ring_) AddPicture(&picture, context);
  const size_t accumulator = AddPair(
      "cuMemAlloc", [this] { return driver().cuMemAlloc(&accumulator_, kWords * 4); }, "cuMemFree",
      [this] { return driver().cuMemFree(accumulator_); }, {context});
  const size_t readback = AddPair(
      "cuMemHostAlloc", [this] { return driver().cuMemHostAlloc(&readback_, kWords * 4, 0); },
      "cuMemFreeHost", [this] { return driver().cuMemFreeHost(readback_); }, {context});
  AddPair(
      "cuLaunchKernel", [this] { return Submit(); }, "cuStreamSynchronize",
      [this] { return driver().cuStreamSynchronize(stream_); },
      {module, stream, submitted, finished, accumulator, readback});
}

size_t ExtractorCycle::AddStream(CUstream* stream, std::vector<size_t> needs) {
  return AddPair(
      "cuStreamCreateWithPriority",
      [this, stream] {
        return driver().cuStreamCreateWithPriority(stream, CU_STREAM_NON_BLOCKING, 0);
      },
      "cuStreamDestroy", [this, stream] { return driver().cuStreamDestroy(*stream); },
      std::move(needs));
}

size_t ExtractorCycle::AddEvent(CUevent* event, std::vector<size_t> needs) {
  return AddPair(
      "cuEventCreate",
      [this, event] { return driver().cuEventCreate(event, CU_EVENT_DISABLE_TIMING); },
      "cuEventDestroy", [this, event] { return driver().cuEventDestroy(*event); },
      std::move(needs));
}

void ExtractorCycle::AddPicture(Picture* picture, size_t context) {
  AddStream(&picture->stream, {context});
  for (CUevent& event : picture->events) AddEvent(&event, {context});
  for (size_t plane = 0; plane < kPlanes; ++plane) {
    CUdeviceptr* memory = &picture->planes[plane];
    const size_t shift = plane == 0 ? 0 : 1;
    AddPair(
        "cuMemAllocPitch",
        [this, memory, shift] {
          size_t pitch = 0;
          return driver().cuMemAllocPitch(memory, &pitch, 1920 >> shift, 1080 >> shift, 4);
        },
        "cuMemFree", [this, memory] { return driver().cuMemFree(*memory); }, {context});
  }
}

Outcome ExtractorCycle::LoadModule() {
  if (Outcome loaded = driver().cuModuleLoadData(&module_, image_.c_str()); !loaded.ok()) {
    return loaded;
  }
  Outcome found = driver().cuModuleGetFunction(&function_, module_, kSmallKernel);
  // A take that fails must leave nothing behind. The fault that failed the lookup has fired, so
  // this unload reaches the driver.
  if (!found.ok()) (void)driver().cuModuleUnload(module_);
  return found;
}

Outcome ExtractorCycle::Submit() {
  const size_t bytes = kWords * 4;
  uint32_t words = kWords;
  void* parameters[] = {&accumulator_, &words};
  if (Outcome done = driver().cuMemsetD8Async(accumulator_, 0, bytes, stream_); !done.ok()) {
    return done;
  }
  if (Outcome done = driver().cuEventRecord(submitted_, state_stream_); !done.ok()) return done;
  if (Outcome done = driver().cuStreamWaitEvent(stream_, submitted_, 0); !done.ok()) return done;
  if (Outcome done = driver().cuLaunchKernel(function_, kWords / 256, 1, 1, 256, 1, 1, 0, stream_,
                                             parameters, nullptr);
      !done.ok()) {
    return done;
  }
  if (Outcome done = driver().cuEventRecord(finished_, stream_); !done.ok()) return done;
  return driver().cuMemcpyDtoHAsync(readback_, accumulator_, bytes, stream_);
}

const ProbeInfo kExtractorCycle{
    .name = "extractor_cycle",
    .summary = "the life cycle of a feature extractor with preallocated pictures",
    .object = "one module a life cycle",
    .make = MakeWorkload<ExtractorCycle>,
};

}  // namespace culprit::stress
