// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/releasing_entries.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "suites/runner/fault.h"

namespace culprit::suites {
namespace {

struct ReleasedKind {
  std::string_view name;
  std::vector<std::string_view> entries;
};

}  // namespace

std::string_view KindOf(std::string_view object) { return object.substr(0, object.find(" #")); }

std::span<const std::string_view> ReleasingEntries(std::string_view kind) {
  static const ReleasedKind kinds[] = {
      {"context", {"cuCtxDestroy", "cuCtxDetach"}},
      {"primary retain", {"cuDevicePrimaryCtxRelease"}},
      {"stream", {"cuStreamDestroy"}},
      {"event", {"cuEventDestroy"}},
      {"module", {"cuModuleUnload"}},
      {"library", {"cuLibraryUnload"}},
      {"link state", {"cuLinkDestroy"}},
      {"allocation", {"cuMemFree", "cuMemFreeAsync", "cuIpcCloseMemHandle"}},
      {"managed block", {"cuMemFree", "cuMemFreeAsync"}},
      {"host block", {"cuMemFreeHost", "cuMemHostUnregister"}},
      {"pool", {"cuMemPoolDestroy"}},
      {"array", {"cuArrayDestroy"}},
      {"mipmapped array", {"cuMipmappedArrayDestroy"}},
      {"texture object", {"cuTexObjectDestroy"}},
      {"surface object", {"cuSurfObjectDestroy"}},
      {"address reservation", {"cuMemAddressFree"}},
      {"reservation", {"cuMemAddressFree"}},
      {"physical memory", {"cuMemRelease"}},
      {"mapping", {"cuMemUnmap", "cuIpcCloseMemHandle"}},
      {"graph", {"cuGraphDestroy"}},
      {"executable graph", {"cuGraphExecDestroy"}},
      {"graph exec", {"cuGraphExecDestroy"}},
      {"user object", {"cuUserObjectRelease"}}};
  const auto found = std::find_if(std::begin(kinds), std::end(kinds),
                                  [&](const ReleasedKind& k) { return k.name == kind; });
  if (found == std::end(kinds)) return {};
  return found->entries;
}

bool Releases(const std::string& entry, std::string_view kind) {
  const auto entries = ReleasingEntries(kind);
  return std::find(entries.begin(), entries.end(), LookupName(entry)) != entries.end();
}

bool ReleaseNeedsContext(const EntryTable& table, std::string_view kind) {
  bool known = false;
  for (size_t i = 0; i < table.names.size(); ++i) {
    if (!Releases(table.names[i], kind)) continue;
    if (!table.needs_context[i]) return false;
    known = true;
  }
  return known;
}

}  // namespace culprit::suites
