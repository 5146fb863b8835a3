// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/reclaimed.h"

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/describe.h"

namespace culprit::fakedriver::handlers {
namespace {

// These have no destroying call of their own: they go with the module or library that they are part
// of.
bool IsPartOfAnother(ObjectKind kind) {
  return kind == ObjectKind::kFunction || kind == ObjectKind::kKernel ||
         kind == ObjectKind::kTextureReference || kind == ObjectKind::kGraphNode;
}

}  // namespace

void ReportReclaimed(const std::vector<ObjectRecord>& reclaimed) {
  for (const ObjectRecord& record : reclaimed) {
    if (record.harness || record.orphaned || record.internal || IsPartOfAnother(record.kind)) {
      continue;
    }
    audit::Raise(audit::Rule::kLeakReclaimed,
                 {.object = Describe(record), .handle = record.handle});
  }
}

}  // namespace culprit::fakedriver::handlers
