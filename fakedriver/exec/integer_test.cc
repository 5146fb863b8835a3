// SPDX-License-Identifier: Apache-2.0
//
// Integer and bit instructions against arithmetic in 128 bits and plain loops over bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "fakedriver/exec/testing/instruction_runner.h"

namespace culprit::exec {
namespace {

using testing::ExpectInstruction;
using Wide = __int128;

template <typename T>
std::string Name();
template <>
std::string Name<uint16_t>() {
  return "u16";
}
template <>
std::string Name<int16_t>() {
  return "s16";
}
template <>
std::string Name<uint32_t>() {
  return "u32";
}
template <>
std::string Name<int32_t>() {
  return "s32";
}
template <>
std::string Name<uint64_t>() {
  return "u64";
}
template <>
std::string Name<int64_t>() {
  return "s64";
}

template <typename T>
class IntegerTest : public ::testing::Test {};
using IntegerTypes = ::testing::Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(IntegerTest, IntegerTypes);

TYPED_TEST(IntegerTest, ArithmeticWrapsAround) {
  using T = TypeParam;
  const std::string t = Name<T>();
  ExpectInstruction<T, T, T, T>("add." + t + " %d, %a, %b;",
                                [](T a, T b, T) { return static_cast<T>(Wide{a} + b); });
  ExpectInstruction<T, T, T, T>("sub." + t + " %d, %a, %b;",
                                [](T a, T b, T) { return static_cast<T>(Wide{a} - b); });
  ExpectInstruction<T, T, T, T>("mul.lo." + t + " %d, %a, %b;",
                                [](T a, T b, T) { return static_cast<T>(Wide{a} * b); });
  ExpectInstruction<T, T, T, T>("mul.hi." + t + " %d, %a, %b;", [](T a, T b, T) {
    unsigned __int128 product =
        static_cast<unsigned __int128>(Wide{a}) * static_cast<unsigned __int128>(Wide{b});
    return static_cast<T>(product >> (8 * sizeof(T)));
  });
  ExpectInstruction<T, T, T, T>("mad.lo." + t + " %d, %a, %b, %c;", [](T a, T b, T c) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b) +
                          static_cast<uint64_t>(c));
  });
  ExpectInstruction<T, T, T, T>("sad." + t + " %d, %a, %b, %c;", [](T a, T b, T c) {
    return static_cast<T>(static_cast<uint64_t>(c) +
                          static_cast<uint64_t>(a < b ? Wide{b} - a : Wide{a} - b));
  });
  ExpectInstruction<T, T, T, T>("min." + t + " %d, %a, %b;",
                                [](T a, T b, T) { return std::min(a, b); });
  ExpectInstruction<T, T, T, T>("max." + t + " %d, %a, %b;",
                                [](T a, T b, T) { return std::max(a, b); });
}

TYPED_TEST(IntegerTest, DivisionTruncates) {
  using T = TypeParam;
  const std::string t = Name<T>();
  ExpectInstruction<T, T, T, T>("div." + t + " %d, %a, %b;", [](T a, T b, T) {
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(Wide{a} / Wide{b});
  });
  ExpectInstruction<T, T, T, T>("rem." + t + " %d, %a, %b;", [](T a, T b, T) {
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(Wide{a} % Wide{b});
  });
}

TYPED_TEST(IntegerTest, ComparisonsSelect) {
  using T = TypeParam;
  const std::string t = Name<T>();
  auto check = [&](const std::string& compare, auto holds) {
    ExpectInstruction<T, T, T, T>("setp." + compare + "." + t + " %q, %a, %b; selp.b" +
                                      std::to_string(8 * sizeof(T)) + " %d, %a, %c, %q;",
                                  [&](T a, T b, T c) { return holds(a, b) ? a : c; });
  };
  check("eq", [](T a, T b) { return a == b; });
  check("ne", [](T a, T b) { return a != b; });
  check("lt", [](T a, T b) { return a < b; });
  check("le", [](T a, T b) { return a <= b; });
  check("gt", [](T a, T b) { return a > b; });
  check("ge", [](T a, T b) { return a >= b; });
}

TYPED_TEST(IntegerTest, ShiftsClampTheirCount) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t kBits = 8 * sizeof(T);
  const std::string b = "b" + std::to_string(kBits);
  ExpectInstruction<U, U, uint32_t, U>("shl." + b + " %d, %a, %b;", [](U a, uint32_t n, U) {
    return n >= kBits ? U{0} : static_cast<U>(a << n);
  });
  ExpectInstruction<T, T, uint32_t, T>("shr." + Name<T>() + " %d, %a, %b;", [](T a, uint32_t n, T) {
    if (n >= kBits) return static_cast<T>(a < 0 ? -1 : 0);
    return static_cast<T>(a >> n);
  });
}

template <typename T, typename D>
void ExpectWide() {
  const std::string t = Name<T>();
  ExpectInstruction<D, T, T, D>("mul.wide." + t + " %d, %a, %b;",
                                [](T a, T b, D) { return static_cast<D>(D{a} * D{b}); });
  ExpectInstruction<D, T, T, D>("mad.wide." + t + " %d, %a, %b, %c;",
                                [](T a, T b, D c) { return static_cast<D>(Wide{a} * b + c); });
}

TEST(Integer, WideProductsKeepAllBits) {
  ExpectWide<uint16_t, uint32_t>();
  ExpectWide<int16_t, int32_t>();
  ExpectWide<uint32_t, uint64_t>();
  ExpectWide<int32_t, int64_t>();
}

TEST(Integer, SaturatingArithmeticStopsAtTheLimits) {
  using I = int32_t;
  auto clamp = [](int64_t v) {
    return static_cast<I>(std::clamp<int64_t>(v, INT32_MIN, INT32_MAX));
  };
  ExpectInstruction<I, I, I, I>("add.sat.s32 %d, %a, %b;",
                                [=](I a, I b, I) { return clamp(int64_t{a} + b); });
  ExpectInstruction<I, I, I, I>("sub.sat.s32 %d, %a, %b;",
                                [=](I a, I b, I) { return clamp(int64_t{a} - b); });
  ExpectInstruction<I, I, I, I>("mad.hi.sat.s32 %d, %a, %b, %c;",
                                [=](I a, I b, I c) { return clamp((int64_t{a} * b >> 32) + c); });
}

TEST(Integer, CarryChainsAddLongNumbers) {
  using L = uint64_t;
  const std::string split = "mov.b64 {%x0, %x1}, %a; mov.b64 {%x2, %x3}, %b; ";
  ExpectInstruction<L, L, L, L>(
      split + "add.cc.u32 %x0, %x0, %x2; addc.u32 %x1, %x1, %x3; mov.b64 %d, {%x0, %x1};",
      [](L a, L b, L) { return a + b; });
  ExpectInstruction<L, L, L, L>(
      split + "sub.cc.u32 %x0, %x0, %x2; subc.u32 %x1, %x1, %x3; mov.b64 %d, {%x0, %x1};",
      [](L a, L b, L) { return a - b; });
  ExpectInstruction<L, L, L, L>(
      split +
          "mov.b64 {%t0, %t1}, %c; mad.lo.cc.u32 %t0, %x0, %x2, %t0; madc.hi.u32 %t1, %x0, %x2, "
          "%t1; mov.b64 %d, {%t0, %t1};",
      [](L a, L b, L c) { return (a & 0xffffffff) * (b & 0xffffffff) + c; });
}

TEST(Integer, DotProductsOfBytesAndHalves) {
  using U = uint32_t;
  ExpectInstruction<U, U, U, U>("dp4a.u32.u32 %d, %a, %b, %c;", [](U a, U b, U c) {
    for (int n = 0; n < 4; ++n) c += (a >> 8 * n & 0xff) * (b >> 8 * n & 0xff);
    return c;
  });
  ExpectInstruction<U, U, U, U>("dp4a.s32.u32 %d, %a, %b, %c;", [](U a, U b, U c) {
    for (int n = 0; n < 4; ++n)
      c += static_cast<U>(static_cast<int8_t>(a >> 8 * n) * static_cast<int>(b >> 8 * n & 0xff));
    return c;
  });
  ExpectInstruction<U, U, U, U>("dp2a.lo.u32.u32 %d, %a, %b, %c;", [](U a, U b, U c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
  });
  ExpectInstruction<U, U, U, U>("dp2a.hi.s32.s32 %d, %a, %b, %c;", [](U a, U b, U c) {
    return c + static_cast<U>(static_cast<int16_t>(a) * static_cast<int8_t>(b >> 16)) +
           static_cast<U>(static_cast<int16_t>(a >> 16) * static_cast<int8_t>(b >> 24));
  });
}

TEST(Bits, LogicOfThreeOperandsFollowsItsTable) {
  using U = uint32_t;
  for (int table : {0x00, 0x80, 0x96, 0xca, 0xe8, 0x3c, 0xff, 0x1b}) {
    ExpectInstruction<U, U, U, U>(
        "lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";", [=](U a, U b, U c) {
          U d = 0;
          for (int n = 0; n < 32; ++n) {
            U index = (a >> n & 1) << 2 | (b >> n & 1) << 1 | (c >> n & 1);
            d |= (static_cast<U>(table) >> index & 1) << n;
          }
          return d;
        });
  }
}

TEST(Bits, FunnelShiftsTakeThirtyTwoOfSixtyFour) {
  using U = uint32_t;
  auto both = [](U a, U b) { return uint64_t{b} << 32 | a; };
  ExpectInstruction<U, U, U, U>("shf.l.wrap.b32 %d, %a, %b, %c;", [=](U a, U b, U c) {
    return static_cast<U>(both(a, b) << (c & 31) >> 32);
  });
  ExpectInstruction<U, U, U, U>("shf.r.wrap.b32 %d, %a, %b, %c;", [=](U a, U b, U c) {
    return static_cast<U>(both(a, b) >> (c & 31));
  });
  ExpectInstruction<U, U, U, U>("shf.l.clamp.b32 %d, %a, %b, %c;", [=](U a, U b, U c) {
    return static_cast<U>(both(a, b) << std::min(c, 32u) >> 32);
  });
  ExpectInstruction<U, U, U, U>("shf.r.clamp.b32 %d, %a, %b, %c;", [=](U a, U b, U c) {
    return static_cast<U>(both(a, b) >> std::min(c, 32u));
  });
}

TEST(Bits, PrmtPicksBytesAndSigns) {
  using U = uint32_t;
  ExpectInstruction<U, U, U, U>("prmt.b32 %d, %a, %b, %c;", [](U a, U b, U c) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    U d = 0;
    for (int n = 0; n < 4; ++n) {
      U s = c >> 4 * n & 15;
      U byte = static_cast<U>(bytes >> 8 * (s & 7)) & 0xff;
      if (s & 8) byte = byte & 0x80 ? 0xff : 0;
      d |= byte << 8 * n;
    }
    return d;
  });
}

template <typename T>
T ExtractField(T a, uint32_t b, uint32_t c) {
  constexpr int kBits = 8 * sizeof(T);
  // Counts are taken modulo 256 in fields of 32 bits only.
  const int position = static_cast<int>(kBits == 32 ? b & 0xff : std::min(b, 255u));
  const int length = static_cast<int>(kBits == 32 ? c & 0xff : std::min(c, 255u));
  using U = std::make_unsigned_t<T>;
  const bool is_signed = std::is_signed_v<T>;
  bool sign = is_signed && length > 0 &&
              (static_cast<U>(a) >> std::min(position + length - 1, kBits - 1) & 1) != 0;
  U d = sign ? static_cast<U>(~U{0}) : U{0};
  for (int n = 0; n < length && n < kBits && position + n < kBits; ++n) {
    U bit = static_cast<U>(a) >> (position + n) & 1;
    d = static_cast<U>((d & ~(U{1} << n)) | bit << n);
  }
  return static_cast<T>(d);
}

TEST(Bits, FieldsAreExtractedAndInserted) {
  using U = uint32_t;
  ExpectInstruction<U, U, U, U>("bfe.u32 %d, %a, %b, %c;", ExtractField<uint32_t>);
  ExpectInstruction<int32_t, int32_t, U, U>("bfe.s32 %d, %a, %b, %c;", ExtractField<int32_t>);
  ExpectInstruction<uint64_t, uint64_t, U, U>("bfe.u64 %d, %a, %b, %c;", ExtractField<uint64_t>);
  ExpectInstruction<int64_t, int64_t, U, U>("bfe.s64 %d, %a, %b, %c;", ExtractField<int64_t>);
  ExpectInstruction<U, U, U, U>("bfi.b32 %d, %a, %b, %c, 7;", [](U a, U b, U c) {
    for (U n = 0; n < 7 && (c & 0xff) + n < 32; ++n) {
      U at = (c & 0xff) + n;
      b = (b & ~(1u << at)) | (a >> n & 1) << at;
    }
    return b;
  });
  ExpectInstruction<U, U, U, U>("bmsk.clamp.b32 %d, %a, %b;", [](U a, U b, U) {
    U d = 0;
    for (uint64_t n = a; n < 32 && n < uint64_t{a} + b; ++n) d |= 1u << n;
    return d;
  });
  ExpectInstruction<int32_t, int32_t, U, U>("szext.wrap.s32 %d, %a, %b;", [](int32_t a, U b, U) {
    U n = b & 31;
    return n == 0 ? 0 : static_cast<int32_t>(static_cast<U>(a) << (32 - n)) >> (32 - n);
  });
}

TEST(Bits, CountsAndPositions) {
  using U = uint32_t;
  using L = uint64_t;
  ExpectInstruction<U, U, U, U>("popc.b32 %d, %a;",
                                [](U a, U, U) { return static_cast<U>(std::popcount(a)); });
  ExpectInstruction<U, L, U, U>("popc.b64 %d, %a;",
                                [](L a, U, U) { return static_cast<U>(std::popcount(a)); });
  ExpectInstruction<U, U, U, U>("clz.b32 %d, %a;",
                                [](U a, U, U) { return static_cast<U>(std::countl_zero(a)); });
  ExpectInstruction<U, L, U, U>("clz.b64 %d, %a;",
                                [](L a, U, U) { return static_cast<U>(std::countl_zero(a)); });
  ExpectInstruction<U, U, U, U>("bfind.u32 %d, %a;", [](U a, U, U) {
    return a == 0 ? ~0u : 31 - static_cast<U>(std::countl_zero(a));
  });
  ExpectInstruction<U, int32_t, U, U>("bfind.shiftamt.s32 %d, %a;", [](int32_t a, U, U) {
    U x = static_cast<U>(a < 0 ? ~a : a);
    return x == 0 ? ~0u : static_cast<U>(std::countl_zero(x));
  });
  ExpectInstruction<L, L, U, U>("brev.b64 %d, %a;", [](L a, U, U) {
    L d = 0;
    for (int n = 0; n < 64; ++n) d |= (a >> n & 1) << (63 - n);
    return d;
  });
  ExpectInstruction<U, U, U, int32_t>(
      "fns.b32 %d, %a, %b, %c;", [](U mask, U base, int32_t offset) {
        if (base > 31) return ~0u;
        if (offset == 0) return mask >> base & 1 ? base : ~0u;
        int left = offset;
        for (int at = static_cast<int>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
          if ((mask >> at & 1) != 0 && (left += offset > 0 ? -1 : 1) == 0)
            return static_cast<U>(at);
        }
        return ~0u;
      });
}

TEST(Bits, PredicatesCombineAndNegate) {
  using U = uint32_t;
  ExpectInstruction<U, U, U, U>(
      "setp.lt.u32 %q, %a, %b; setp.gt.and.u32 %q|%s, %a, 7, !%q; xor.pred %q, %q, %s; selp.u32 "
      "%d, 1, 0, !%q;",
      [](U a, U b, U) {
        bool first = a < b;
        bool q = a > 7 && !first;
        bool s = !(a > 7) && !first;
        return U{(q != s) ? 0u : 1u};
      });
  ExpectInstruction<U, U, U, U>("set.lt.u32.s32 %d, %a, %b;", [](U a, U b, U) {
    return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? ~0u : 0u;
  });
}

}  // namespace
}  // namespace culprit::exec
