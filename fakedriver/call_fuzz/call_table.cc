// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/call_fuzz/call_table.h"

#include <unistd.h>

#include <string_view>
#include <tuple>
#include <utility>

#include "fakedriver/call_fuzz/arguments.h"

namespace culprit::fakedriver::call_fuzz {
namespace {

template <typename T>
constexpr bool IsArrayOrBytes() {
  return std::is_pointer_v<T> && !kIsHandle<T>;
}

constexpr bool StartsWithOne(std::string_view symbol, std::initializer_list<std::string_view> of) {
  for (const std::string_view entry : of) {
    if (symbol.starts_with(entry)) return true;
  }
  return false;
}

// Sizes of what is only made may be wild although its address comes back through a pointer.
constexpr bool OnlyMakes(std::string_view symbol) {
  return StartsWithOne(symbol,
                       {"cuMemAlloc", "cuMemHostAlloc", "cuMemCreate", "cuMemAddressReserve"});
}

constexpr bool CopiesAnything(std::string_view symbol) {
  return StartsWithOne(symbol, {"cuMemcpyBatch", "cuMemcpyAsync", "cuMemcpyPeer"}) ||
         symbol == "cuMemcpy";
}

constexpr bool Launches(std::string_view symbol) {
  return StartsWithOne(symbol, {"cuLaunchKernel", "cuLaunchCooperative"});
}

constexpr bool Waits(std::string_view symbol) { return symbol.starts_with("cuStreamWaitValue"); }

constexpr bool NamesHostMemory(std::string_view symbol) {
  return StartsWithOne(symbol, {"cuMemFreeHost", "cuMemHostGet", "cuMemHostUnregister"});
}

constexpr bool GivesHostMemory(std::string_view symbol) {
  return StartsWithOne(symbol,
                       {"cuMemHostGetDevicePointer", "cuMemAllocManaged", "cuLibraryGetManaged"});
}

constexpr bool GivesDeviceMemory(std::string_view symbol) {
  return StartsWithOne(symbol, {"cuMemAlloc", "cuMemAddressReserve", "cuModuleGetGlobal"}) &&
         !GivesHostMemory(symbol) && !symbol.starts_with("cuMemAllocHost");
}

template <typename... Parameters, size_t... I>
CUresult CallWith(CUresult (*entry)(Parameters...), Values& values, const Shape& shape,
                  std::string_view symbol, std::index_sequence<I...>) {
  size_t pointers_to_pointers = 0;
  [[maybe_unused]] const auto second = [&](bool is) { return is && pointers_to_pointers++ != 0; };
  // Braces: in order.
  const std::tuple<Parameters...> arguments{
      Argument<Parameters>(values, shape, I, second(std::is_same_v<Parameters, void**>))...};
  const std::tuple<Given<Parameters>...> given{std::get<I>(arguments)...};
  const CUresult result = std::apply(entry, arguments);
  if (result != CUDA_SUCCESS) return result;
  (std::get<I>(given).Remember(values, shape), ...);
  if constexpr (sizeof...(Parameters) == 4) {
    if (symbol == "cuMemExportToShareableHandle") {  // a descriptor of our own
      int descriptor = -1;
      std::memcpy(&descriptor, (const void*)(uintptr_t)std::get<0>(arguments), sizeof descriptor);
      close(descriptor);
    }
  }
  return result;
}

template <typename... Parameters>
CUresult DrawAndCall(CUresult (*entry)(Parameters...), Values& values, std::string_view symbol) {
  const bool counts = (IsArrayOrBytes<Parameters>() || ...) && !OnlyMakes(symbol);
  const bool small = counts || Launches(symbol) || CopiesAnything(symbol);
  values.numbers = small ? Numbers::kSmall : Numbers::kWild;
  const Shape shape{.launches = Launches(symbol),
                    .unified = CopiesAnything(symbol),
                    .no_wait = Waits(symbol),
                    .host_handles = NamesHostMemory(symbol),
                    .gives_device_addresses = GivesDeviceMemory(symbol),
                    .gives_host_addresses = GivesHostMemory(symbol)};
  return CallWith(entry, values, shape, symbol, std::index_sequence_for<Parameters...>());
}

constexpr DrawnCall kCalls[] = {
#define FD_API(symbol, lookup, since, family, effect, needs, parameters, arguments)        \
  {#symbol, [](void* entry, Values& values) {                                              \
     return DrawAndCall(reinterpret_cast<CUresult(*) parameters>(entry), values, #symbol); \
   }},
#include "fakedriver/abi/driver_api.def"
#undef FD_API
};

}  // namespace

std::span<const DrawnCall> AllCalls() { return kCalls; }

}  // namespace culprit::fakedriver::call_fuzz
