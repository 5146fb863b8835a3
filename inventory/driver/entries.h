// SPDX-License-Identifier: Apache-2.0
// The driver's entry points as the checker sees them: a name and what calling it means for
// ownership. Expanded from the driver table, so an entry that is added there is known here; no name
// is listed twice.
#ifndef CULPRIT_INVENTORY_DRIVER_ENTRIES_H_
#define CULPRIT_INVENTORY_DRIVER_ENTRIES_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace culprit::inventory {

enum class Role : uint8_t { kOther, kCreates, kDestroys, kPushes, kPops, kWaits };

struct DriverEntry {
  std::string_view symbol;  // as exported: cuStreamDestroy_v2
  std::string_view lookup;  // as written in sources and asked of cuGetProcAddress: cuStreamDestroy
  int since;  // first CUDA version of this variant, 1000 * major + 10 * minor; 0 when never looked
              // up
  Role role;
  std::string_view object;  // what it creates or destroys: the handle's C type, or "primary
                            // context"; empty when none
  int object_parameter;  // index of the parameter that carries the handle or receives it; -1 when
                         // none
};

// All entries in table order, variants of one name together, oldest first.
std::span<const DriverEntry> DriverEntries();

// The entry that a source means by `name`: an exported symbol, or the plain name. Null when the
// driver has no such entry.
const DriverEntry* FindEntry(std::string_view name);

// The symbol that the header of CUDA `version` (1000 * major + 10 * minor) maps the plain `name`
// to: cuMemFree to cuMemFree_v2. Empty when it maps it to nothing.
std::string_view VersionedSymbol(std::string_view name, int version);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_DRIVER_ENTRIES_H_
