// SPDX-License-Identifier: Apache-2.0
//
// The device runtime library, as far as the fake has it. A toolkit's own (libcudadevrt.a) is
// machine code, which cannot run here, so that linking it links this instead: the functions of
// cooperative groups that compilers call instead of inlining. Launches from kernels are not among
// them; a program that needs one is told which name has no definition.
#ifndef FAKEDRIVER_HANDLERS_DEVICE_RUNTIME_H_
#define FAKEDRIVER_HANDLERS_DEVICE_RUNTIME_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace culprit::fakedriver::handlers {

// The file is an archive with the member that a toolkit's device runtime library consists of.
bool IsDeviceRuntimeLibrary(std::span<const std::byte> file);

// PTX of that library: part of its archive, and of the fat binaries that nvcc lists for relocatable code.
bool IsDeviceRuntimeText(std::string_view ptx);

// The text that is linked in its place.
std::string_view DeviceRuntimeText();

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_DEVICE_RUNTIME_H_
