// SPDX-License-Identifier: Apache-2.0
//
// An argument of a call in a form that code without templates can print, and what an out-parameter
// points to.
#ifndef FAKEDRIVER_TRACE_ARGUMENT_H_
#define FAKEDRIVER_TRACE_ARGUMENT_H_

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::trace {

enum class ValueKind : uint8_t { kSigned, kUnsigned, kFloat, kResult, kAddress, kText, kBytes };

struct Argument {
  ValueKind kind = ValueKind::kBytes;
  ValueKind pointee_kind = ValueKind::kBytes;
  uint32_t pointee_bytes = 0;  // of what the callee may write; 0: nothing, or of unknown size
  uint64_t bits = 0;           // integers extended to 64 bits, addresses, floats as double

  void* pointee() const { return reinterpret_cast<void*>(bits); }
};

namespace argument_internal {

template <typename T, typename = void>
inline constexpr bool kIsComplete = false;
template <typename T>
inline constexpr bool kIsComplete<T, std::void_t<decltype(sizeof(T))>> = std::is_object_v<T>;

template <typename T>
consteval ValueKind KindOf() {
  if constexpr (std::is_same_v<T, CUresult>) {
    return ValueKind::kResult;
  } else if constexpr (std::is_floating_point_v<T>) {
    return ValueKind::kFloat;
  } else if constexpr (std::is_same_v<std::remove_cv_t<std::remove_pointer_t<T>>, char> &&
                       std::is_pointer_v<T>) {
    return std::is_const_v<std::remove_pointer_t<T>> ? ValueKind::kText : ValueKind::kAddress;
  } else if constexpr (std::is_pointer_v<T>) {
    return ValueKind::kAddress;
  } else if constexpr (std::is_enum_v<T> || (std::is_integral_v<T> && std::is_signed_v<T>)) {
    return ValueKind::kSigned;
  } else if constexpr (std::is_integral_v<T>) {
    return ValueKind::kUnsigned;
  } else {
    return ValueKind::kBytes;
  }
}

}  // namespace argument_internal

template <typename T>
Argument Capture(const T& value) noexcept {
  using namespace argument_internal;
  Argument argument{.kind = KindOf<T>()};
  if constexpr (std::is_pointer_v<T>) {
    using Pointee = std::remove_pointer_t<T>;
    argument.bits = reinterpret_cast<uint64_t>(value);
    if constexpr (!std::is_const_v<Pointee> && !std::is_void_v<Pointee> && kIsComplete<Pointee>) {
      argument.pointee_bytes = sizeof(Pointee);
      argument.pointee_kind = KindOf<Pointee>();
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    argument.bits = std::bit_cast<uint64_t>(static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    argument.bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  return argument;
}

// Name and declared type of each parameter of an entry, in order.
struct Parameter {
  std::string name;
  std::string type;
  std::string key;  // the name as a key of a JSON object: "\"name\":"
  bool is_device_address = false;
};
const std::vector<Parameter>& ParametersOf(ApiId id);

// Appends {"phStream":"0x7ffd0010","Flags":1}.
void AppendArguments(ApiId id, std::span<const Argument> arguments, std::string* json);

// Appends what a call that succeeded wrote: {"phStream":"0x10000020"}. Bytes that are no plain
// value are left out.
void AppendOutputs(ApiId id, std::span<const Argument> arguments, std::string* json);

void AppendNumber(uint64_t number, std::string* json);
void AppendAddress(uint64_t address, std::string* json);  // "0x1f"; null for 0

}  // namespace culprit::fakedriver::trace

#endif  // FAKEDRIVER_TRACE_ARGUMENT_H_
