// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/clip.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace culprit::suites {
namespace {

struct PlaneShape {
  uint32_t width;
  uint32_t height;
};

uint32_t PlaneCount(const ClipShape& shape) { return shape.format == CULPRIT_PIXEL_400 ? 1 : 3; }
uint32_t SampleBytes(const ClipShape& shape) { return shape.bits > 8 ? 2 : 1; }

PlaneShape PlaneOf(const ClipShape& shape, uint32_t plane) {
  if (plane == 0) return {shape.width, shape.height};
  const bool half_width = shape.format == CULPRIT_PIXEL_420 || shape.format == CULPRIT_PIXEL_422;
  const bool half_height = shape.format == CULPRIT_PIXEL_420;
  return {half_width ? (shape.width + 1) / 2 : shape.width,
          half_height ? (shape.height + 1) / 2 : shape.height};
}

size_t FrameBytes(const ClipShape& shape) {
  size_t samples = 0;
  for (uint32_t plane = 0; plane < PlaneCount(shape); ++plane) {
    const PlaneShape size = PlaneOf(shape, plane);
    samples += size_t{size.width} * size.height;
  }
  return samples * SampleBytes(shape);
}

void Append(uint32_t sample, uint32_t bits, std::vector<uint8_t>* out) {
  out->push_back(static_cast<uint8_t>(sample));
  if (bits > 8) out->push_back(static_cast<uint8_t>(sample >> 8));
}

// A texture that moves by (2, 1) a frame; the twin has coarser steps.
uint32_t PatternSample(uint32_t x, uint32_t y, uint32_t frame, uint32_t plane) {
  const uint32_t px = x + 2 * frame;
  const uint32_t py = y + frame;
  uint32_t mixed = px / 3 * 0x9E3779B1U ^ py / 2 * 0x85EBCA77U ^ (plane + 1) * 0xC2B2AE3DU;
  mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6DU;
  return (px * 5 + py * 3 + (mixed >> 25)) & 0xFF;
}

}  // namespace

Clip Clip::Pattern(uint32_t width, uint32_t height, uint32_t frames, uint32_t bits) {
  Clip clip;
  clip.shape_ = {width, height, bits, CULPRIT_PIXEL_420, frames};
  for (uint32_t frame = 0; frame < frames; ++frame) {
    for (uint32_t plane = 0; plane < PlaneCount(clip.shape_); ++plane) {
      const PlaneShape size = PlaneOf(clip.shape_, plane);
      for (uint32_t y = 0; y < size.height; ++y) {
        for (uint32_t x = 0; x < size.width; ++x) {
          const uint32_t sample = PatternSample(x, y, frame, plane);
          Append(sample << (bits - 8), bits, &clip.reference_);
          Append(((sample & ~7U) | 3U) << (bits - 8), bits, &clip.distorted_);
        }
      }
    }
  }
  return clip;
}

Clip Clip::Read(const std::string& folder, const std::string& name, const ClipShape& shape) {
  Clip clip;
  clip.shape_ = shape;
  const size_t bytes = FrameBytes(shape) * shape.frames;
  for (const auto& [suffix, samples] :
       {std::pair{"ref", &clip.reference_}, {"dis", &clip.distorted_}}) {
    const std::filesystem::path path =
        std::filesystem::path(folder) / fmt::format("{}_{}.yuv", name, suffix);
    samples->resize(bytes);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(samples->data()), static_cast<std::streamsize>(bytes))) {
      throw std::runtime_error(fmt::format("{}: {} frames of {}x{} cannot be read", path.string(),
                                           shape.frames, shape.width, shape.height));
    }
  }
  return clip;
}

culprit_frame Clip::View(const std::vector<uint8_t>& samples, uint32_t index) const {
  culprit_frame frame{};
  frame.size = sizeof(frame);
  frame.width = shape_.width;
  frame.height = shape_.height;
  frame.bits = shape_.bits;
  frame.format = shape_.format;
  frame.planes = PlaneCount(shape_);
  const uint8_t* at = samples.data() + index * FrameBytes(shape_);
  for (uint32_t plane = 0; plane < frame.planes; ++plane) {
    const PlaneShape size = PlaneOf(shape_, plane);
    frame.data[plane] = at;
    frame.stride[plane] = size_t{size.width} * SampleBytes(shape_);
    at += frame.stride[plane] * size.height;
  }
  return frame;
}

}  // namespace culprit::suites
