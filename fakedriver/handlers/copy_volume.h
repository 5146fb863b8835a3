// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_HANDLERS_COPY_VOLUME_H_
#define FAKEDRIVER_HANDLERS_COPY_VOLUME_H_

#include "fakedriver/core/device.h"
#include "fakedriver/handlers/copy_submission.h"

namespace culprit::fakedriver::handlers {

// Checks a description of a copy and turns it into a transfer.
CUresult TranslateCopy(const CUDA_MEMCPY3D& copy, const Device& device, Transfer* transfer);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_COPY_VOLUME_H_
