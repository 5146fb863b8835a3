// SPDX-License-Identifier: Apache-2.0
#include "inventory/report/balance.h"

#include <map>
#include <utility>

namespace culprit::inventory {

std::vector<BalanceRow> BalanceOf(const std::vector<FileFacts>& files) {
  std::vector<BalanceRow> rows;
  for (const FileFacts& file : files) {
    std::map<std::string, BalanceRow> by_object;
    std::map<std::string, std::string> object_of_field;
    for (const HandleSite& site : file.creations) {
      ++by_object[site.object].created;
      object_of_field.emplace(site.field, site.object);
    }
    for (const HandleSite& site : file.releases) {
      const auto known = object_of_field.find(site.field);
      if (!site.object.empty()) {
        ++by_object[site.object].released;
      } else if (known != object_of_field.end()) {
        ++by_object[known->second].released;
      }
    }
    for (auto& [object, row] : by_object) {
      row.file = file.path;
      row.object = object;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace culprit::inventory
