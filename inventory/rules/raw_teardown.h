// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_RAW_TEARDOWN_H_
#define CULPRIT_INVENTORY_RULES_RAW_TEARDOWN_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// raw-teardown: a destroying entry is mentioned outside the contract's helpers and loaders.
void CheckRawTeardown(const FileView& view, FindingSink* sink);

// unversioned-name: dlsym("cuMemFree"), which yields the ABI of 2007.
void CheckUnversionedNames(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_RAW_TEARDOWN_H_
