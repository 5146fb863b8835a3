// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "stress/run/workload.h"

namespace culprit::stress {

// The life cycle of a video feature extractor, call by call: retain the primary context that
// somebody else holds too, a stream, a kernel module with its stream and events, a ring of
// preallocated pictures, device and pinned buffers, one launch and one read-back, and all of it
// back in reverse.
class ExtractorCycle final : public Workload {
 public:
  explicit ExtractorCycle(Session& session);

 private:
  static constexpr size_t kPictures = 4;
  static constexpr size_t kPlanes = 3;
  static constexpr uint32_t kWords = 1024;

  struct Picture {
    CUstream stream = nullptr;
    std::array<CUevent, 2> events{};
    std::array<CUdeviceptr, kPlanes> planes{};
  };

  size_t AddStream(CUstream* stream, std::vector<size_t> needs);
  size_t AddEvent(CUevent* event, std::vector<size_t> needs);
  void AddPicture(Picture* picture, size_t context);
  Outcome LoadModule();
  Outcome Submit();

  const std::string image_;
  CUcontext context_ = nullptr;
  CUstream state_stream_ = nullptr;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  CUstream stream_ = nullptr;
  CUevent submitted_ = nullptr;
  CUevent finished_ = nullptr;
  std::array<Picture, kPictures> ring_;
  CUdeviceptr accumulator_ = 0;
  void* readback_ = nullptr;
};

}  // namespace culprit::stress
