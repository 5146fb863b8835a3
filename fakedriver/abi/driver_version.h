// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_ABI_DRIVER_VERSION_H_
#define FAKEDRIVER_ABI_DRIVER_VERSION_H_

namespace culprit::fakedriver {

// What cuDriverGetVersion answers, and the newest version that cuGetProcAddress may be asked for:
// CUDA 13.0, as driver 580.
inline constexpr int kDriverVersion = 13000;

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_ABI_DRIVER_VERSION_H_
