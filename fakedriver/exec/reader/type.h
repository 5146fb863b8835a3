// SPDX-License-Identifier: Apache-2.0
//
// The fundamental types of PTX.
#ifndef FAKEDRIVER_EXEC_READER_TYPE_H_
#define FAKEDRIVER_EXEC_READER_TYPE_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace culprit::exec {

enum class Type : uint8_t {
#define PTX_TYPE(name, text, bits, family) k##name,
#include "fakedriver/exec/reader/types.def"
#undef PTX_TYPE
  kCount
};

enum class TypeFamily : uint8_t {
  kNone,
  kPredicate,
  kBits,
  kUnsigned,
  kSigned,
  kFloat,
  kPacked,
  kOpaque
};

struct TypeInfo {
  std::string_view text;  // without the dot
  uint8_t bits;
  TypeFamily family;
};

inline constexpr std::array kTypes{
#define PTX_TYPE(name, text, bits, family) TypeInfo{text, bits, TypeFamily::family},
#include "fakedriver/exec/reader/types.def"
#undef PTX_TYPE
};

constexpr const TypeInfo& Info(Type type) { return kTypes[static_cast<size_t>(type)]; }
constexpr uint32_t Bits(Type type) { return Info(type).bits; }
constexpr uint32_t Bytes(Type type) { return Info(type).bits / 8; }
constexpr bool IsSigned(Type type) { return Info(type).family == TypeFamily::kSigned; }
constexpr bool IsFloat(Type type) { return Info(type).family == TypeFamily::kFloat; }

// Whether a register declared as `held` may be an operand of type `type`, sizes apart: bits go with
// everything; integers with integers and pairs, but not with floating point; floating point and
// pairs of halves with their own type only. Measured on driver 580, every type against every other.
constexpr bool Agrees(Type held, Type type) {
  const TypeFamily of_held = Info(held).family;
  switch (Info(type).family) {
    case TypeFamily::kUnsigned:
    case TypeFamily::kSigned:
      return of_held != TypeFamily::kFloat;
    case TypeFamily::kFloat:
      return of_held == TypeFamily::kBits || held == type;
    case TypeFamily::kPacked:
      return of_held == TypeFamily::kBits || held == type || type == Type::kU16x2 ||
             type == Type::kS16x2 || type == Type::kF32x2;
    default:
      return true;
  }
}

// Whether it can be one without a conversion.
constexpr bool Fits(Type held, Type type) { return Bits(held) == Bits(type) && Agrees(held, type); }

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_TYPE_H_
