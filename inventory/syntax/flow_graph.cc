// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {

std::string_view LastComponent(std::string_view path) {
  while (path.ends_with(']')) {
    int depth = 0;
    size_t open = path.size();
    do {
      --open;
      depth += path[open] == ']' ? 1 : path[open] == '[' ? -1 : 0;
    } while (depth > 0 && open > 0);
    path = path.substr(0, open);
  }
  size_t start = path.size();
  while (start > 0) {
    const char c = path[start - 1];
    const bool in_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '~';
    if (!in_name) break;
    --start;
  }
  return path.substr(start);
}

}  // namespace culprit::inventory
