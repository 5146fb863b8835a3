// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/call_stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>

namespace culprit::fakedriver::fault {
namespace {

bool IsNamed(const char* symbol, std::string_view function) {
  if (function == symbol) return true;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  if (demangled == nullptr) return false;
  std::string_view name = demangled.get();
  return name == function || name.substr(0, name.find('(')) == function;
}

}  // namespace

bool CalledBelow(std::string_view function) {
  constexpr int kMostFrames = 128;
  std::array<void*, kMostFrames> frames;
  const int count = backtrace(frames.data(), kMostFrames);
  for (int i = 0; i < count; ++i) {
    // A return address may be the first byte of the next function, so look one byte before it.
    Dl_info info{};
    const void* inside = static_cast<const char*>(frames[i]) - 1;
    if (dladdr(inside, &info) == 0 || info.dli_sname == nullptr) continue;
    if (IsNamed(info.dli_sname, function)) return true;
  }
  return false;
}

}  // namespace culprit::fakedriver::fault
