// SPDX-License-Identifier: Apache-2.0
//
// The module handles of every owner, as the ownership contract declares them.
#ifndef TOOLS_REFERENCE_PAGE_OWNER_MODULES_H_
#define TOOLS_REFERENCE_PAGE_OWNER_MODULES_H_

#include <string>
#include <vector>

namespace culprit::tools {

struct OwnerModules {
  std::string file;  // below reference_impl
  std::vector<std::string> fields;
};

// The [[owner]] tables of an inventory.toml whose file is an extractor's. Throws std::runtime_error
// that names the file.
std::vector<OwnerModules> ReadOwnerModules(const std::string& path);

}  // namespace culprit::tools

#endif  // TOOLS_REFERENCE_PAGE_OWNER_MODULES_H_
