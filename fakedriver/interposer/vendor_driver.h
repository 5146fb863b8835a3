// SPDX-License-Identifier: Apache-2.0
//
// The vendor's driver, loaded on first use and never unloaded. CULPRIT_REAL_DRIVER names it by
// path; without it the usual folders are searched. It is loaded privately, so that its symbols
// never mix with ours.
#ifndef FAKEDRIVER_INTERPOSER_VENDOR_DRIVER_H_
#define FAKEDRIVER_INTERPOSER_VENDOR_DRIVER_H_

#include <string>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::interposer {

// Null when there is no vendor's driver, or when it is older than the entry.
void* VendorAddress(ApiId id);

// The row whose function that is; nothing for other addresses.
std::optional<ApiId> VendorEntryAt(const void* address);

// Whether there is one.
bool HasVendorDriver();

}  // namespace culprit::fakedriver::interposer

#endif  // FAKEDRIVER_INTERPOSER_VENDOR_DRIVER_H_
