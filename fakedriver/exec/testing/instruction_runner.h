// SPDX-License-Identifier: Apache-2.0
//
// Runs one instruction over many operand values: the edges of each type against each other, and
// random bits. The kernel that carries it can run on a device as well; ToPtx() is all it takes.
#ifndef FAKEDRIVER_EXEC_TESTING_INSTRUCTION_RUNNER_H_
#define FAKEDRIVER_EXEC_TESTING_INSTRUCTION_RUNNER_H_

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec::testing {

template <typename T>
std::vector<T> EdgeValues() {
  if constexpr (std::is_floating_point_v<T>) {
    using B = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    std::vector<T> values{0,       1,        T(-1),     T(0.5),   T(1.5),   T(2.5),    T(-2.5),
                          T(1e10), T(-1e10), T(3.4e38), T(1e-38), T(255.5), T(65535.5)};
    if constexpr (sizeof(T) == 4) {
      for (B bits : {0x80000000u, 0x00000001u, 0x807fffffu, 0x00800000u, 0x7f7fffffu, 0x7f800000u,
                     0xff800000u, 0x7fc00000u, 0x7f800001u, 0x4effffffu, 0x4f000000u, 0xcf000000u,
                     0xcf000001u, 0x4f7fffffu, 0x4f800000u}) {
        values.push_back(std::bit_cast<T>(bits));
      }
    } else {
      for (B bits : {0x8000000000000000ull, 1ull, 0x000fffffffffffffull, 0x7fefffffffffffffull,
                     0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7ff8000000000000ull,
                     0x41dfffffffc00000ull, 0x41e0000000000000ull, 0xc1e0000000200000ull,
                     0x43e0000000000000ull, 0x36a0000000000000ull, 0x380fffffe0000000ull}) {
        values.push_back(std::bit_cast<T>(bits));
      }
    }
    return values;
  } else {
    using U = std::make_unsigned_t<T>;
    constexpr U kTop = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
    std::vector<T> values;
    for (U v : {U{0},
                U{1},
                U{2},
                U{3},
                U{5},
                U{7},
                U{8},
                U{15},
                U{16},
                U{31},
                U{32},
                U{33},
                U{63},
                U{64},
                U{65},
                U{100},
                U{127},
                U{128},
                U{255},
                static_cast<U>(kTop - 1),
                kTop,
                static_cast<U>(kTop + 1),
                static_cast<U>(~U{0}),
                static_cast<U>(~U{1}),
                static_cast<U>(0x5a5a5a5a5a5a5a5aull)}) {
      values.push_back(static_cast<T>(v));
    }
    return values;
  }
}

template <typename T>
T RandomValue(std::mt19937_64& random) {
  uint64_t bits = random();
  // Small numbers are likelier to be interesting together than random bits are.
  if constexpr (std::is_integral_v<T>) {
    if (bits % 4 == 0) return static_cast<T>(bits >> 32 & 0xff);
    return static_cast<T>(bits >> 16);
  } else if constexpr (sizeof(T) == 4) {
    if (bits % 4 != 0) return static_cast<T>(static_cast<int64_t>(bits >> 20)) * T(1e-8);
    return std::bit_cast<T>(static_cast<uint32_t>(bits >> 32));
  } else {
    if (bits % 4 != 0) return static_cast<T>(static_cast<int64_t>(bits)) * T(1e-15);
    return std::bit_cast<T>(bits);
  }
}

template <typename T>
const char* LoadType() {
  return sizeof(T) == 1 ? "u8" : sizeof(T) == 2 ? "u16" : sizeof(T) == 4 ? "u32" : "u64";
}
template <typename T>
const char* RegisterTypeName() {
  return sizeof(T) <= 2 ? "b16" : sizeof(T) == 4 ? "b32" : "b64";
}

// A kernel that puts operands into %a, %b and %c, runs `body`, and stores %d.
template <typename D, typename A, typename B, typename C>
std::string ToPtx(const std::string& body) {
  auto reg = [](const char* type, const char* name) {
    return std::string(".reg .") + type + " " + name + ";\n";
  };
  auto load = [](const char* type, size_t size, const char* name, const char* parameter) {
    return std::string("ld.param.u64 %p, [") + parameter + "];\nmad.lo.u64 %p, %i, " +
           std::to_string(size) + ", %p;\nld.global." + type + " " + name + ", [%p];\n";
  };
  return ".version 8.6\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, .param .u64 pc) {\n"
         ".reg .b32 %t<4>; .reg .b64 %i, %p; .reg .pred %q, %s; .reg .b32 %x<4>; .reg .b64 %y<4>; "
         ".reg .b16 %z<4>;\n" +
         reg(RegisterTypeName<D>(), "%d") + reg(RegisterTypeName<A>(), "%a") +
         reg(RegisterTypeName<B>(), "%b") + reg(RegisterTypeName<C>(), "%c") +
         "mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.u32 %t0, %t0, "
         "%t1, %t2; cvt.u64.u32 %i, %t0;\n" +
         load(LoadType<A>(), sizeof(A), "%a", "pa") + load(LoadType<B>(), sizeof(B), "%b", "pb") +
         load(LoadType<C>(), sizeof(C), "%c", "pc") + body +
         "\nld.param.u64 %p, [pd]; mad.lo.u64 %p, %i, " + std::to_string(sizeof(D)) +
         ", %p;\nst.global." + LoadType<D>() + " [%p], %d;\nret;\n}\n";
}

template <typename T>
std::string Show(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    char text[64];
    std::snprintf(text, sizeof text, "%.17g (0x%llx)", static_cast<double>(value),
                  static_cast<unsigned long long>(std::bit_cast<Bits>(value)));
    return text;
  } else {
    return std::to_string(value);
  }
}

// Results must agree in every bit; NaNs of double precision agree whatever their payload.
template <typename T>
bool Same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (sizeof(T) == 8 && a != a && b != b) return true;
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  } else {
    return a == b;
  }
}

template <typename D, typename A, typename B, typename C, typename Expected>
void ExpectInstruction(const std::string& body, Expected expected) {
  SCOPED_TRACE(body);
  std::vector<A> a;
  std::vector<B> b;
  std::vector<C> c;
  std::vector<C> cs = EdgeValues<C>();
  std::mt19937_64 random(7);
  for (A x : EdgeValues<A>()) {
    for (B y : EdgeValues<B>()) {
      a.push_back(x);
      b.push_back(y);
      c.push_back(cs[random() % cs.size()]);
    }
  }
  while (a.size() < 2048) {
    a.push_back(RandomValue<A>(random));
    b.push_back(RandomValue<B>(random));
    c.push_back(RandomValue<C>(random));
  }
  size_t count = a.size() / 128 * 128;
  TestDevice device;
  ASSERT_TRUE(device.Load(ToPtx<D, A, B, C>(body))) << device.error.ToLogLine();
  uint64_t d = device.memory.Allocate(a.size() * sizeof(D));
  LaunchResult result = device.Run(
      "k", {static_cast<uint32_t>(count / 128), 1, 1}, {128, 1, 1},
      Pack(d, device.memory.Upload(a), device.memory.Upload(b), device.memory.Upload(c)));
  ASSERT_TRUE(result.ok()) << result.fault->message << " at line " << result.fault->where.ptx_line;
  std::vector<D> results = device.memory.Download<D>(d, count);
  int shown = 0;
  for (size_t n = 0; n < count && shown < 5; ++n) {
    D wanted = expected(a[n], b[n], c[n]);
    if (Same(results[n], wanted)) continue;
    ++shown;
    ADD_FAILURE() << Show(a[n]) << ", " << Show(b[n]) << ", " << Show(c[n]) << " gives "
                  << Show(results[n]) << ", not " << Show(wanted);
  }
}

}  // namespace culprit::exec::testing

#endif  // FAKEDRIVER_EXEC_TESTING_INSTRUCTION_RUNNER_H_
