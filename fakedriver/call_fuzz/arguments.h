// SPDX-License-Identifier: Apache-2.0
//
// An argument for each type of parameter that driver entries have.
#ifndef FAKEDRIVER_CALL_FUZZ_ARGUMENTS_H_
#define FAKEDRIVER_CALL_FUZZ_ARGUMENTS_H_

#include <array>
#include <cstring>
#include <type_traits>

#include "fakedriver/call_fuzz/structures.h"

namespace culprit::fakedriver::call_fuzz {

// What one entry's arguments are drawn by, besides their types.
struct Shape {
  bool launches = false;      // the void** are arguments of a kernel and what replaces them
  bool unified = false;       // addresses may be of host memory
  bool no_wait = false;       // addresses are of nothing: a driver would wait for them
  bool host_handles = false;  // void* names host memory and is not read
  bool gives_device_addresses = false;
  bool gives_host_addresses = false;
};

template <typename T>
concept Incomplete = !requires {
  sizeof(T);
};
template <typename T>
inline constexpr bool kIsHandle = false;
template <typename T>
requires Incomplete<T>
inline constexpr bool kIsHandle<T*> = !std::is_void_v<T> && !std::is_function_v<T>;

// Worth remembering where a call writes it.
template <typename T>
inline constexpr bool kIsGiven =
    kIsHandle<T> || std::is_same_v<T, unsigned long long> || std::is_same_v<T, void*>;

template <typename T>
T Value(Values& values, const Shape& shape) {
  if constexpr (kIsHandle<T>) {
    if constexpr (std::is_same_v<T, CUstream>) {
      if (values.choices().OneIn(6))
        return values.choices().Below(2) ? CU_STREAM_LEGACY : CU_STREAM_PER_THREAD;
    }
    return HandleOf<T>(values);
  } else if constexpr (std::is_same_v<T, unsigned long long>) {
    if (shape.unified) return values.UnifiedAddress();
    return shape.no_wait ? values.NoAddress() : values.Address();
  } else if constexpr (std::is_same_v<T, CUdevice>) {
    return values.numbers == Numbers::kWild && values.choices().OneIn(8)
               ? static_cast<int>(values.Number())
               : static_cast<int>(values.choices().Below(2) == 0 ? 0 : values.Small());
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(values.choices().Below(values.choices().OneIn(8) ? 256 : 12));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(values.Number());
  } else {
    T structure;
    std::memset(&structure, 0, sizeof structure);
    Fill(values, &structure);
    return structure;
  }
}

inline void Callback(CUstream, CUresult, void*) {}
inline size_t SharedBytes(int block_size) { return static_cast<size_t>(block_size); }

// Slot is the place of the parameter, from 0; Second says that an earlier one is of the same type.
template <typename T>
T Argument(Values& values, const Shape& shape, size_t slot, bool second) {
  if constexpr (kIsHandle<T> || !std::is_pointer_v<T>) {
    return Value<T>(values, shape);
  } else if constexpr (std::is_same_v<T, CUhostFn>) {
    return values.choices().OneIn(8) ? nullptr : &HostFunction;
  } else if constexpr (std::is_same_v<T, CUstreamCallback>) {
    return values.choices().OneIn(8) ? nullptr : &Callback;
  } else if constexpr (std::is_same_v<T, CUoccupancyB2DSize>) {
    return values.choices().Below(2) == 0 ? nullptr : &SharedBytes;
  } else if constexpr (std::is_same_v<T, const char*>) {
    return values.Name();
  } else if constexpr (std::is_same_v<T, const void*>) {
    return values.Image();
  } else if constexpr (std::is_same_v<T, void*>) {
    if (shape.host_handles) return reinterpret_cast<void*>(values.Handle(typeid(void*)));
    return values.choices().OneIn(16) ? nullptr : values.HostBytes();
  } else {
    using Pointee = std::remove_const_t<std::remove_pointer_t<T>>;
    if (values.choices().OneIn(16)) return nullptr;
    if constexpr (std::is_same_v<Pointee, void*>) {
      if (shape.launches) return second ? LaunchExtra(values) : KernelArguments(values);
    }
    auto* first = reinterpret_cast<Pointee*>(values.Block(slot));
    if constexpr (std::is_same_v<Pointee, void*>) {
      // Where values go to, or come from: each may have a block's bytes.
      for (size_t i = 0; i < Values::kMostElements; ++i) first[i] = values.HostBytes();
    } else if constexpr (!std::is_same_v<Pointee, char> && !std::is_pointer_v<Pointee>) {
      for (size_t i = 0; i < (sizeof(Pointee) <= 8 ? 4 : 2); ++i) {
        first[i] = Value<Pointee>(values, shape);
      }
    } else if constexpr (kIsHandle<Pointee>) {
      for (size_t i = 0; i < 4; ++i) first[i] = Value<Pointee>(values, shape);
    }
    return first;
  }
}

// What a successful call wrote there, as far as it can be used by a later one.
template <typename T>
class Given {
 public:
  explicit Given(T argument) {
    if constexpr (kKeeps) {
      if (argument != nullptr) std::memcpy(before_.data(), argument, sizeof before_);
    }
    argument_ = argument;
  }
  // Addresses of device memory are remembered as such, too; those that the host can reach apart.
  void Remember(Values& values, const Shape& shape) const {
    if constexpr (kKeeps) {
      for (size_t i = 0; argument_ != nullptr && i < before_.size(); ++i) {
        if (argument_[i] == before_[i]) continue;
        const auto value = (uint64_t)argument_[i];
        values.Remember(shape.gives_host_addresses ? typeid(HostAddress*) : typeid(Pointee), value);
        if (shape.gives_device_addresses) values.Remember(typeid(CUdeviceptr*), value);
      }
    }
  }

 private:
  using Pointee = std::remove_pointer_t<T>;
  static constexpr bool kKeeps =
      std::is_pointer_v<T> && !std::is_const_v<Pointee> && kIsGiven<Pointee>;
  T argument_;
  std::array<std::conditional_t<kKeeps, Pointee, char>, 4> before_{};
};

}  // namespace culprit::fakedriver::call_fuzz

#endif  // FAKEDRIVER_CALL_FUZZ_ARGUMENTS_H_
