// SPDX-License-Identifier: Apache-2.0
//
// What integer operations share: the types they go through and the choice among types.
#ifndef FAKEDRIVER_EXEC_LANES_INTEGER_TYPES_H_
#define FAKEDRIVER_EXEC_LANES_INTEGER_TYPES_H_

#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {

// Arithmetic wraps around, so it is done on unsigned values of at least 32 bits.
template <typename T>
struct Traits;
template <>
struct Traits<uint16_t> {
  using Unsigned = uint16_t;
  using Wrap = uint32_t;
  using Wide = uint32_t;
  using UnsignedWide = uint32_t;
};
template <>
struct Traits<int16_t> {
  using Unsigned = uint16_t;
  using Wrap = uint32_t;
  using Wide = int32_t;
  using UnsignedWide = uint32_t;
};
template <>
struct Traits<uint32_t> {
  using Unsigned = uint32_t;
  using Wrap = uint32_t;
  using Wide = uint64_t;
  using UnsignedWide = uint64_t;
};
template <>
struct Traits<int32_t> {
  using Unsigned = uint32_t;
  using Wrap = uint32_t;
  using Wide = int64_t;
  using UnsignedWide = uint64_t;
};
template <>
struct Traits<uint64_t> {
  using Unsigned = uint64_t;
  using Wrap = uint64_t;
  using Wide = unsigned __int128;
  using UnsignedWide = unsigned __int128;
};
template <>
struct Traits<int64_t> {
  using Unsigned = uint64_t;
  using Wrap = uint64_t;
  using Wide = __int128;
  using UnsignedWide = unsigned __int128;
};

template <typename T>
using Wrap = typename Traits<T>::Wrap;
template <typename T>
using Wide = typename Traits<T>::Wide;
template <typename T>
constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);

template <typename T>
struct Op {
  using In = T;
  using Third = T;
  using Out = T;
};

// The handler of an operation for an integer type.
#define CULPRIT_FOR_INTEGER(shape, op, type)             \
  ((type) == Type::kU16   ? Handler{shape<op<uint16_t>>} \
   : (type) == Type::kS16 ? Handler{shape<op<int16_t>>}  \
   : (type) == Type::kU32 ? Handler{shape<op<uint32_t>>} \
   : (type) == Type::kS32 ? Handler{shape<op<int32_t>>}  \
   : (type) == Type::kU64 ? Handler{shape<op<uint64_t>>} \
   : (type) == Type::kS64 ? Handler{shape<op<int64_t>>}  \
                          : Handler{nullptr})
#define CULPRIT_FOR_SIGNED(shape, op, type)             \
  ((type) == Type::kS16   ? Handler{shape<op<int16_t>>} \
   : (type) == Type::kS32 ? Handler{shape<op<int32_t>>} \
   : (type) == Type::kS64 ? Handler{shape<op<int64_t>>} \
                          : Handler{nullptr})

CULPRIT_INLINE bool IsInteger(Type type) {
  return Info(type).family == TypeFamily::kUnsigned || Info(type).family == TypeFamily::kSigned;
}

CULPRIT_INLINE int32_t Saturate(int64_t value) {
  return static_cast<int32_t>(value > INT32_MAX   ? INT32_MAX
                              : value < INT32_MIN ? INT32_MIN
                                                  : value);
}

// Two 16-bit values in a word.
template <template <typename> class Half, typename T>
struct Pair : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    uint16_t low = static_cast<uint16_t>(Half<T>::Do(static_cast<T>(a), static_cast<T>(b)));
    uint16_t high =
        static_cast<uint16_t>(Half<T>::Do(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return uint32_t{high} << 16 | low;
  }
};

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_INTEGER_TYPES_H_
