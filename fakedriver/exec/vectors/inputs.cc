// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/inputs.h"

#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {
namespace {

const std::vector<uint64_t>& Edges(std::string_view type) {
  static const std::vector<uint64_t> shifts{
      0,  1,  2,  7,  8,   15,  16,  17,  30,  31,         32,         33,        40,
      62, 63, 64, 65, 127, 128, 255, 256, 300, 0x7fffffff, 0x80000000, 0xffffffff};
  static const std::vector<uint64_t> few{0, 1, 2, 3};
  static const std::vector<uint64_t> halves{0,      0x8000, 1,      0x8001, 0x03ff, 0x0400,
                                            0x3800, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0xc100,
                                            0x4200, 0x5bff, 0x63ff, 0x7bff, 0xfbff, 0x7c00,
                                            0xfc00, 0x7c01, 0x7e00, 0x7fff, 0xfe12};
  static const std::vector<uint64_t> brains{0,      0x8000, 1,      0x8001, 0x007f, 0x0080,
                                            0x3f00, 0x3f80, 0xbf80, 0x3f81, 0x3fc0, 0xc020,
                                            0x4040, 0x437f, 0x477f, 0x4f00, 0x7f7f, 0xff7f,
                                            0x7f80, 0xff80, 0x7f81, 0x7fc0, 0x7fff, 0xffc1};
  static const std::vector<uint64_t> singles{
      0,          0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000,
      0xbf800000, 0x3f000000, 0x3fc00000, 0xc0200000, 0x40490fdb, 0x3f800001,
      0x3f7fffff, 0x437f8000, 0x477fff80, 0x4effffff, 0x4f000000, 0xcf000001,
      0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
      0x7f800001, 0x7fc00000, 0xffc12345, 0x477ff000, 0x33000000, 0xb8800001};
  static const std::vector<uint64_t> doubles{0,
                                             0x8000000000000000,
                                             1,
                                             0x800fffffffffffff,
                                             0x0010000000000000,
                                             0x3ff0000000000000,
                                             0xbff0000000000000,
                                             0x3fe0000000000000,
                                             0x3ff8000000000000,
                                             0xc004000000000000,
                                             0x400921fb54442d18,
                                             0x3ff0000000000001,
                                             0x406ff00000000000,
                                             0x40effff000000000,
                                             0x41dfffffffc00000,
                                             0x41e0000000000000,
                                             0xc1e0000000200000,
                                             0x43e0000000000000,
                                             0x47efffffe0000000,
                                             0x47effffff0000000,
                                             0x36a0000000000000,
                                             0x380fffffe0000000,
                                             0x3e60000000000000,
                                             0x7fefffffffffffff,
                                             0xffefffffffffffff,
                                             0x7ff0000000000000,
                                             0xfff0000000000000,
                                             0x7ff0000000000001,
                                             0x7ff8000000000000,
                                             0xfff8123456789abc};
  static const std::vector<uint64_t> integers{0,
                                              1,
                                              2,
                                              3,
                                              5,
                                              7,
                                              8,
                                              16,
                                              31,
                                              32,
                                              33,
                                              63,
                                              64,
                                              100,
                                              127,
                                              128,
                                              255,
                                              256,
                                              0x7fff,
                                              0x8000,
                                              0xffff,
                                              0x7fffffff,
                                              0x80000000,
                                              0xffffffff,
                                              0xfffffffe,
                                              0x5a5a5a5a,
                                              uint64_t{1} << 32,
                                              INT64_MAX,
                                              static_cast<uint64_t>(INT64_MIN),
                                              UINT64_MAX,
                                              UINT64_MAX - 1};
  if (type == "shift") return shifts;
  if (type == "few") return few;
  if (type.starts_with("f16")) return halves;
  if (type.starts_with("bf16")) return brains;
  if (type.starts_with("f32")) return singles;
  if (type == "f64") return doubles;
  return integers;
}

// How many edge values lie side by side in a value of the type.
unsigned Packed(std::string_view type) { return type.ends_with("x2") ? 2 : 1; }

uint64_t Truncate(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

bool IsFloat(std::string_view type) { return type[0] == 'f' || type.starts_with("bf"); }

// Random bits; of floating-point values three in four have moderate exponents, of integers one in
// four is small.
uint64_t RandomValue(std::string_view type, unsigned bits, uint64_t random) {
  if (type == "shift") return random % 4 == 0 ? random >> 32 : random >> 32 & 0x3f;
  if (type == "few") return random >> 32 & 3;
  uint64_t value = Truncate(random >> 3 ^ random << 40, bits);
  if (random % 4 == 0) return IsFloat(type) ? value : value & 0xff;
  if (!IsFloat(type)) return value;
  const unsigned exponent_bits = bits == 64 ? 11 : type.starts_with("f16") ? 5 : 8;
  const unsigned fraction_bits = bits - 1 - exponent_bits;
  const uint64_t bias = (uint64_t{1} << (exponent_bits - 1)) - 1;
  const uint64_t exponent = bias - 8 + (random >> 52) % 17;
  const uint64_t keep = (uint64_t{1} << (bits - 1)) | ((uint64_t{1} << fraction_bits) - 1);
  return (value & keep) | exponent << fraction_bits;
}

}  // namespace

uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<uint64_t> InputValues(std::string_view type, unsigned position, size_t count,
                                  uint64_t seed) {
  const std::vector<uint64_t>& edges = Edges(type);
  const unsigned parts = Packed(type);
  const unsigned bits = RegisterBits(type) / parts;
  std::vector<uint64_t> values;
  values.reserve(count);
  for (size_t n = 0; n < count; ++n) {
    uint64_t value = 0;
    for (unsigned part = 0; part < parts; ++part) {
      const uint64_t random = Mix(seed + Mix(n * 8 + position * 2 + part + 1));
      uint64_t one;
      if (n < 1024) {
        // The first operand walks slowly, the second fast, the third anyhow: all pairs of edges
        // meet.
        const size_t at = position == 0   ? n / 32 + part
                          : position == 1 ? n % 32 + part
                                          : random >> 8;
        one = at % 32 >= edges.size() && position < 2 ? RandomValue(type, bits, random)
                                                      : edges[at % edges.size()];
      } else {
        one = RandomValue(type, bits, random);
      }
      value |= Truncate(one, bits) << (part * bits);
    }
    values.push_back(value);
  }
  return values;
}

}  // namespace culprit::exec::vectors
