// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a life cycle, held whole in host memory: children inherit them by fork and never
// read a file.
#ifndef SUITES_RUNNER_CLIP_H_
#define SUITES_RUNNER_CLIP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/culprit_port.h"

namespace culprit::suites {

struct ClipShape {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t bits = 8;
  uint32_t format = CULPRIT_PIXEL_420;
  uint32_t frames = 0;
};

class Clip {
 public:
  // A reproducible 4:2:0 pattern that moves, with a distorted twin. No file is read.
  static Clip Pattern(uint32_t width, uint32_t height, uint32_t frames, uint32_t bits);
  // Reads planar NAME_ref.yuv and NAME_dis.yuv of the given shape. Throws std::runtime_error.
  static Clip Read(const std::string& folder, const std::string& name, const ClipShape& shape);

  const ClipShape& shape() const { return shape_; }
  culprit_frame Reference(uint32_t index) const { return View(reference_, index); }
  culprit_frame Distorted(uint32_t index) const { return View(distorted_, index); }

 private:
  culprit_frame View(const std::vector<uint8_t>& samples, uint32_t index) const;

  ClipShape shape_;
  std::vector<uint8_t> reference_;
  std::vector<uint8_t> distorted_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CLIP_H_
