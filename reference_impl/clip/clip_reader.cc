// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/clip/clip_reader.h"

#include <cerrno>

#include "reference_impl/clip/y4m_header.h"

namespace culprit::reference {
namespace {

// A header line is short; a file that is none must not be read to its end in search of a newline.
constexpr size_t kLongestLine = 1024;

}  // namespace

Status ClipReader::Malformed(const std::string& what) const {
  return HostFailure(-EINVAL, path_ + ": " + what);
}

Status ClipReader::OpenFile(const std::string& path) {
  path_ = path;
  file_.open(path, std::ios::binary);
  if (!file_) return HostFailure(-ENOENT, path + ": cannot be opened");
  return Status();
}

Status ClipReader::OpenRaw(const std::string& path, const Geometry& geometry) {
  Status valid = CheckGeometry(geometry);
  if (!valid.ok()) return valid;
  geometry_ = geometry;
  return OpenFile(path);
}

Status ClipReader::OpenY4m(const std::string& path) {
  Status opened = OpenFile(path);
  if (!opened.ok()) return opened;
  y4m_ = true;
  char line[kLongestLine];
  if (!file_.getline(line, sizeof line)) return Malformed("has no YUV4MPEG2 header line");
  return ParseY4mHeader(line, &geometry_).Explain(path);
}

bool ClipReader::AtEnd() { return file_.peek() == std::ifstream::traits_type::eof(); }

Status ClipReader::Next(FrameView* frame, bool* end) {
  *end = AtEnd();
  if (*end) return Status();
  const std::string name = "frame " + std::to_string(frames_);
  if (y4m_) {
    char line[kLongestLine];
    if (!file_.getline(line, sizeof line) || std::string_view(line).substr(0, 5) != "FRAME") {
      return Malformed(name + " does not start with FRAME");
    }
  }
  size_t bytes = 0;
  for (uint32_t plane = 0; plane < geometry_.planes(); ++plane)
    bytes += geometry_.plane_bytes(plane);
  samples_.resize(bytes);
  file_.read(reinterpret_cast<char*>(samples_.data()), static_cast<std::streamsize>(bytes));
  if (static_cast<size_t>(file_.gcount()) != bytes) {
    return Malformed(name + " is incomplete: the file ends inside it");
  }
  ++frames_;
  frame->geometry = geometry_;
  const uint8_t* data = samples_.data();
  for (uint32_t plane = 0; plane < geometry_.planes(); ++plane) {
    frame->data[plane] = data;
    frame->stride[plane] = geometry_.row_bytes(plane);
    data += geometry_.plane_bytes(plane);
  }
  return Status();
}

}  // namespace culprit::reference
