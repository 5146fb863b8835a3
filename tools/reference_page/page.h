// SPDX-License-Identifier: Apache-2.0
//
// The text of docs/reference.md, and whether the data it is made of belong together.
#ifndef TOOLS_REFERENCE_PAGE_PAGE_H_
#define TOOLS_REFERENCE_PAGE_PAGE_H_

#include <map>
#include <string>
#include <vector>

#include "reference_impl/golden/difference_record.h"
#include "tools/reference_page/module_results.h"
#include "tools/reference_page/owner_modules.h"

namespace culprit::tools {

struct PageData {
  std::vector<OwnerModules> owners;
  reference::testing::DifferenceRecord on_fake;
  reference::testing::DifferenceRecord on_device;
  ModuleResults results;
  std::map<std::string, uint32_t> suite_versions;  // of today, extractor suites only
};

// Throws std::runtime_error where an extractor of the registry has no owner, no golden feature or
// no measured difference, or the suites of today are not those of the results.
void CheckComplete(const PageData& data);

std::string PageText(const PageData& data);

}  // namespace culprit::tools

#endif  // TOOLS_REFERENCE_PAGE_PAGE_H_
