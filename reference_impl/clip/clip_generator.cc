// SPDX-License-Identifier: Apache-2.0
//
// Value noise, a triangle wave, a moving checkered square; then blur, quantisation and noise for
// the distorted picture. Shifts of negative numbers round down, which C++20 promises.
#include "reference_impl/clip/clip_generator.h"

#include <algorithm>

namespace culprit::reference {
namespace {

constexpr int32_t kLargest = 1023;

int32_t Clamp(int64_t value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, 0, kLargest));
}

uint32_t Hash(int64_t x, int64_t y, uint32_t k) {
  uint32_t h = static_cast<uint32_t>(x) * 374761393u + static_cast<uint32_t>(y) * 668265263u +
               k * 2246822519u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return h ^ (h >> 16);
}

// Bilinear between lattice points 2^step apart; 0 to 1023.
int64_t ValueNoise(int64_t x, int64_t y, uint32_t step, uint32_t k) {
  const int64_t gx = x >> step;
  const int64_t gy = y >> step;
  const int64_t cell = int64_t{1} << step;
  const int64_t fx = x - (gx << step);
  const int64_t fy = y - (gy << step);
  const auto lattice = [&](int64_t dx, int64_t dy) -> int64_t {
    return Hash(gx + dx, gy + dy, k) & kLargest;
  };
  const int64_t top = lattice(0, 0) * (cell - fx) + lattice(1, 0) * fx;
  const int64_t bottom = lattice(0, 1) * (cell - fx) + lattice(1, 1) * fx;
  return (top * (cell - fy) + bottom * fy) >> (2 * step);
}

int64_t Triangle(int64_t n, int64_t period) {
  const int64_t m = ((n % period) + period) % period;
  return std::min(m, period - m);
}

// What moves in a frame of the reference.
struct Scene {
  int64_t time;
  uint32_t key;
  int64_t side;  // of the square
  int64_t left;
  int64_t top;
  int64_t shift;

  Scene(const ClipSpec& clip, uint32_t frame) {
    time = clip.repeats ? frame / 3 * 3 : frame;
    key = clip.seed * 1000 + (clip.cut && frame >= clip.frames / 2 ? 101 : 0);
    side = std::max<int64_t>(8, clip.geometry.height / 4);
    left = 21 * time / 2 % (clip.geometry.width - side);
    top = 5 * time % (clip.geometry.height - side);
    shift = 2 * time + time * time / 16;
  }
  bool InSquare(int64_t x, int64_t y) const {
    return x >= left && x < left + side && y >= top && y < top + side;
  }
};

int64_t Texture(const Scene& scene, int64_t x, int64_t y) {
  if (scene.InSquare(x, y)) {
    const int64_t dx = x - scene.left;
    const int64_t dy = y - scene.top;
    return 180 + 160 * ((dx / 4 + dy / 4) & 1) + dx * 4 % 256;
  }
  const int64_t px = x + scene.shift;
  const int64_t py = y + scene.time;
  return (9 * ValueNoise(px, py, 4, scene.key) + 5 * ValueNoise(px, py, 2, scene.key + 1) +
          2 * kLargest * Triangle(px + py, 64) / 32) >>
         4;
}

int64_t Gradient(const ClipSpec& clip, const Scene& scene, int64_t x, int64_t y) {
  const int64_t span = 5 * int64_t{clip.geometry.width} + 3 * int64_t{clip.geometry.height};
  return 64 + (x * 5 + y * 3 + 4 * scene.time) * 200 / span +
         (ValueNoise(x + scene.shift, y + scene.time, 6, scene.key) >> 5);
}

ClipPlane Blank(const Geometry& geometry, uint32_t plane) {
  ClipPlane blank{geometry.plane_width(plane), geometry.plane_height(plane), {}};
  blank.samples.resize(size_t{blank.width} * blank.height);
  return blank;
}

// Taps 1 4 6 4 1 along one axis, edge samples repeated.
ClipPlane BlurAlong(const ClipPlane& plane, int32_t dx, int32_t dy) {
  ClipPlane blurred = plane;
  const auto sample = [&](int64_t x, int64_t y) {
    return plane.at(static_cast<uint32_t>(std::clamp<int64_t>(x, 0, plane.width - 1)),
                    static_cast<uint32_t>(std::clamp<int64_t>(y, 0, plane.height - 1)));
  };
  for (int64_t y = 0; y < plane.height; ++y) {
    for (int64_t x = 0; x < plane.width; ++x) {
      const int32_t sum = sample(x - 2 * dx, y - 2 * dy) + 4 * sample(x - dx, y - dy) +
                          6 * sample(x, y) + 4 * sample(x + dx, y + dy) +
                          sample(x + 2 * dx, y + 2 * dy);
      blurred.samples[static_cast<size_t>(y) * plane.width + static_cast<size_t>(x)] =
          (sum + 8) >> 4;
    }
  }
  return blurred;
}

void AddNoise(ClipPlane* plane, uint32_t amplitude, uint32_t state) {
  for (int32_t& sample : plane->samples) {
    state = state * 1664525u + 1013904223u;
    sample = Clamp(int64_t{sample} + (state >> 16) % (2 * amplitude + 1) - amplitude);
  }
}

uint32_t Cyclic(const std::vector<uint32_t>& values, uint32_t frame) {
  return values[frame % values.size()];
}

}  // namespace

ClipPicture MakeReference(const ClipSpec& clip, uint32_t frame) {
  const Scene scene(clip, frame);
  ClipPicture picture;
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
    ClipPlane made = Blank(clip.geometry, plane);
    size_t i = 0;
    for (int64_t y = 0; y < made.height; ++y) {
      for (int64_t x = 0; x < made.width; ++x) {
        int64_t value = 0;
        if (plane == 0) {
          value = clip.gradient ? Gradient(clip, scene, x, y) : Texture(scene, x, y);
        } else {
          const int64_t noise =
              ValueNoise(x + scene.time, y - scene.time * plane, 3, scene.key + 10 * plane);
          value = 512 + ((noise - 512) >> 1);
        }
        made.samples[i++] = Clamp(value);
      }
    }
    picture[plane] = std::move(made);
  }
  return picture;
}

ClipPicture MakeDistorted(const ClipSpec& clip, const ClipPicture& reference, uint32_t frame) {
  const uint32_t passes = Cyclic(clip.blur_passes, frame);
  const auto quantizer = static_cast<int32_t>(Cyclic(clip.quantizers, frame));
  const uint32_t amplitude = Cyclic(clip.noise, frame);
  ClipPicture picture = reference;
  for (uint32_t plane = 0; plane < kMaxPlanes; ++plane) {
    ClipPlane& distorted = picture[plane];
    for (uint32_t pass = 0; pass < (plane == 0 ? passes : (passes + 1) / 2); ++pass) {
      distorted = BlurAlong(BlurAlong(distorted, 0, 1), 1, 0);
    }
    if (quantizer > 1) {
      for (int32_t& sample : distorted.samples) {
        sample = std::min(kLargest, (sample + quantizer / 2) / quantizer * quantizer);
      }
    }
    const uint32_t plane_amplitude = plane == 0 ? amplitude : amplitude / 2;
    const uint32_t seed = clip.seed * 1000u * 7919u + frame * 104729u + plane * 1299709u + 1u;
    if (plane_amplitude > 0) AddNoise(&distorted, plane_amplitude, seed);
  }
  return picture;
}

std::vector<uint8_t> Pack(const ClipPicture& picture, uint32_t bits) {
  std::vector<uint8_t> bytes;
  for (const ClipPlane& plane : picture) {
    for (const int32_t sample : plane.samples) {
      if (bits <= 8) {
        bytes.push_back(static_cast<uint8_t>(sample >> (10 - bits)));
        continue;
      }
      const int32_t deep =
          bits <= 10 ? sample >> (10 - bits) : sample << (bits - 10) | sample >> (20 - bits);
      bytes.push_back(static_cast<uint8_t>(deep));
      bytes.push_back(static_cast<uint8_t>(deep >> 8));
    }
  }
  return bytes;
}

}  // namespace culprit::reference
