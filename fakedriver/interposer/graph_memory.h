// SPDX-License-Identifier: Apache-2.0
//
// What launches of graphs do to memory, as the vendor's driver tells it of the graphs' nodes.
#ifndef FAKEDRIVER_INTERPOSER_GRAPH_MEMORY_H_
#define FAKEDRIVER_INTERPOSER_GRAPH_MEMORY_H_

#include <cstdint>
#include <vector>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::interposer {

struct LaunchedMemory {
  std::vector<uint64_t> left;   // addresses that each launch allocates and does not free
  std::vector<uint64_t> freed;  // and those that it frees and did not allocate

  bool empty() const { return left.empty() && freed.empty(); }
};

// Of a graph's nodes and of those of its child graphs. A driver without such nodes has none.
LaunchedMemory MemoryOf(CUgraph graph);

// Whether the stream captures, as `entry` understands the stream: what it is given becomes nodes.
bool IsCapturing(ApiId entry, CUstream stream);

}  // namespace culprit::fakedriver::interposer

#endif  // FAKEDRIVER_INTERPOSER_GRAPH_MEMORY_H_
