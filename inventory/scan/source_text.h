// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_SCAN_SOURCE_TEXT_H_
#define CULPRIT_INVENTORY_SCAN_SOURCE_TEXT_H_

#include <string>
#include <string_view>

namespace culprit::inventory {

// Why what a file holds is no source, whatever its name says: an object file, an image, encrypted
// text. Nothing would be found in it, and it must not be counted as checked. Empty: it is a source.
std::string WhyNoSource(std::string_view text);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_SOURCE_TEXT_H_
