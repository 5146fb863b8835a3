// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/clip/y4m_header.h"

#include <cerrno>
#include <charconv>

namespace culprit::reference {
namespace {

constexpr std::string_view kMagic = "YUV4MPEG2";

struct Chroma {
  std::string_view name;
  PixelFormat format;
};
constexpr Chroma kChromas[] = {{"420jpeg", PixelFormat::k420},  {"420mpeg2", PixelFormat::k420},
                               {"420paldv", PixelFormat::k420}, {"420", PixelFormat::k420},
                               {"422", PixelFormat::k422},      {"444", PixelFormat::k444},
                               {"mono", PixelFormat::k400}};

std::string_view NameOf(PixelFormat format) {
  switch (format) {
    case PixelFormat::k420:
      return "420";
    case PixelFormat::k422:
      return "422";
    case PixelFormat::k444:
      return "444";
    case PixelFormat::k400:
      return "mono";
  }
  return "420";
}

Status BadTag(std::string_view tag) {
  return HostFailure(-EINVAL,
                     "the YUV4MPEG2 header's tag \"" + std::string(tag) + "\" cannot be read");
}

bool ReadNumber(std::string_view text, uint32_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

// "420", "420p10", "mono12": a format, then a depth if it is not 8.
bool ReadChroma(std::string_view text, Geometry* geometry) {
  for (const Chroma& chroma : kChromas) {
    if (text.substr(0, chroma.name.size()) != chroma.name) continue;
    std::string_view depth = text.substr(chroma.name.size());
    if (!depth.empty() && depth[0] == 'p') depth.remove_prefix(1);
    uint32_t bits = 8;
    if (!depth.empty() && !ReadNumber(depth, &bits)) continue;
    geometry->format = chroma.format;
    geometry->bits = bits;
    return true;
  }
  return false;
}

}  // namespace

std::string Y4mHeader(const Geometry& geometry) {
  std::string chroma(NameOf(geometry.format));
  if (geometry.bits > 8) {
    if (geometry.format != PixelFormat::k400) chroma += 'p';
    chroma += std::to_string(geometry.bits);
  }
  return std::string(kMagic) + " W" + std::to_string(geometry.width) + " H" +
         std::to_string(geometry.height) + " F25:1 Ip A1:1 C" + chroma + "\n";
}

Status ParseY4mHeader(std::string_view line, Geometry* geometry) {
  if (line.substr(0, kMagic.size()) != kMagic) {
    return HostFailure(-EINVAL, "the file does not start with YUV4MPEG2");
  }
  line.remove_prefix(kMagic.size());
  *geometry = Geometry();
  while (!line.empty()) {
    const size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    line.remove_prefix(start);
    const std::string_view tag = line.substr(0, line.find(' '));
    line.remove_prefix(tag.size());
    const std::string_view value = tag.substr(1);
    bool read = true;
    if (tag[0] == 'W') read = ReadNumber(value, &geometry->width);
    if (tag[0] == 'H') read = ReadNumber(value, &geometry->height);
    if (tag[0] == 'C') read = ReadChroma(value, geometry);
    if (!read) return BadTag(tag);
  }
  return CheckGeometry(*geometry);
}

}  // namespace culprit::reference
