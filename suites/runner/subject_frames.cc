// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/subject_frames.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace culprit::suites {
namespace {

// What every program is linked with, sanitizers and the driver: they call the subject, or start its
// threads.
constexpr std::string_view kOthers[] = {
    "libc.so",    "libc-",       "libstdc++.so", "libpthread", "libgcc_s.so", "ld-linux",
    "libcuda.so", "libm.so",     "libsupc++.so", "[vdso]",     "libc++.so",   "libc++abi.so",
    "libasan.so", "libubsan.so", "libtsan.so",   "liblsan.so", "libclang_rt"};

bool IsSubjects(const SourceFrame& frame, const std::string& harness) {
  if (frame.module.empty() || frame.module == harness) return false;
  const std::string name = std::filesystem::path(frame.module).filename().string();
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view other) { return name.starts_with(other); });
}

}  // namespace

size_t CountSubjectFrames(const std::vector<SourceFrame>& stack, const std::string& harness) {
  const auto outermost = std::find_if(stack.rbegin(), stack.rend(), [&](const SourceFrame& frame) {
    return IsSubjects(frame, harness);
  });
  return static_cast<size_t>(stack.rend() - outermost);
}

}  // namespace culprit::suites
