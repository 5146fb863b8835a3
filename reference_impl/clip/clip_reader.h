// SPDX-License-Identifier: Apache-2.0
//
// Reads frames of a clip, raw YUV or YUV4MPEG2.
#ifndef CULPRIT_REFERENCE_IMPL_CLIP_CLIP_READER_H_
#define CULPRIT_REFERENCE_IMPL_CLIP_CLIP_READER_H_

#include <fstream>
#include <string>
#include <vector>

#include "reference_impl/framework/frame.h"

namespace culprit::reference {

class ClipReader {
 public:
  // A raw file has no header: its geometry comes from the caller. A failure names the file.
  Status OpenRaw(const std::string& path, const Geometry& geometry);
  Status OpenY4m(const std::string& path);

  // `*end` is true, and there is no frame, at the end of the file. A file that ends inside a frame
  // is an error that names the frame. The view is valid until the next call.
  Status Next(FrameView* frame, bool* end);

  const Geometry& geometry() const { return geometry_; }

 private:
  Status OpenFile(const std::string& path);
  Status Malformed(const std::string& what) const;
  bool AtEnd();

  std::string path_;
  std::ifstream file_;
  Geometry geometry_;
  bool y4m_ = false;
  uint32_t frames_ = 0;
  std::vector<uint8_t> samples_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CLIP_CLIP_READER_H_
