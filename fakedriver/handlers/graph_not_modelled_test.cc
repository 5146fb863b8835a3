// SPDX-License-Identifier: Apache-2.0
//
// Work that is not modelled is refused and named in a capture and in a graph, which go on without.
#include <functional>
#include <string>
#include <utility>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using testing::Entries;
using ::testing::HasSubstr;

struct Refused {
  const char* name;
  std::function<CUresult(const Entries&, CUstream)> call;
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

class NotModelledInCapture : public testing::DriverTest,
                             public ::testing::WithParamInterface<Refused> {};

TEST_P(NotModelledInCapture, IsRefusedAndNamedAndLeavesTheCapture) {
  Start();
  NewContext();
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  EXPECT_EQ(GetParam().call(cu, stream), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_THAT(Rules(), ElementsAre("api.not_modelled"));
  EXPECT_THAT(fake_.Findings()[0].object, HasSubstr(GetParam().name));
  CUgraph graph = nullptr;
  ASSERT_EQ(cu.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  size_t nodes = 1;
  EXPECT_EQ(cu.cuGraphGetNodes(graph, nullptr, &nodes), CUDA_SUCCESS);
  EXPECT_EQ(nodes, 0u);
}

INSTANTIATE_TEST_SUITE_P(Entries, NotModelledInCapture,
                         ::testing::Values(Refused{"cuSignalExternalSemaphoresAsync",
                                                   [](const Entries& cu, CUstream stream) {
                                                     return cu.cuSignalExternalSemaphoresAsync(
                                                         nullptr, nullptr, 0, stream);
                                                   }},
                                           Refused{"cuWaitExternalSemaphoresAsync",
                                                   [](const Entries& cu, CUstream stream) {
                                                     return cu.cuWaitExternalSemaphoresAsync(
                                                         nullptr, nullptr, 0, stream);
                                                   }},
                                           Refused{"cuStreamAttachMemAsync",
                                                   [](const Entries& cu, CUstream stream) {
                                                     return cu.cuStreamAttachMemAsync(
                                                         stream, 0, 0, CU_MEM_ATTACH_GLOBAL);
                                                   }},
                                           Refused{"cuMemMapArrayAsync",
                                                   [](const Entries& cu, CUstream stream) {
                                                     return cu.cuMemMapArrayAsync(nullptr, 0,
                                                                                  stream);
                                                   }},
                                           Refused{"cuMemcpy3DBatchAsync_v2",
                                                   [](const Entries& cu, CUstream stream) {
                                                     return cu.cuMemcpy3DBatchAsync_v2(0, nullptr,
                                                                                       0, stream);
                                                   }}),
                         [](const auto& info) { return std::string(info.param.name); });

class NodeTypeNotModelled
    : public testing::DriverTest,
      public ::testing::WithParamInterface<std::pair<CUgraphNodeType, const char*>> {};

TEST_P(NodeTypeNotModelled, IsRefusedAndNamed) {
  Start();
  NewContext();
  CUgraph graph = nullptr;
  ASSERT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CUgraphNodeParams params{};
  params.type = GetParam().first;
  CUgraphNode node = nullptr;
  EXPECT_EQ(cu.cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &params),
            CUDA_ERROR_NOT_SUPPORTED);
  ASSERT_THAT(Rules(), ElementsAre("api.not_modelled"));
  EXPECT_EQ(fake_.Findings()[0].object, GetParam().second);
  size_t nodes = 1;
  EXPECT_EQ(cu.cuGraphGetNodes(graph, nullptr, &nodes), CUDA_SUCCESS);
  EXPECT_EQ(nodes, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Types, NodeTypeNotModelled,
    ::testing::Values(std::pair{CU_GRAPH_NODE_TYPE_CONDITIONAL, "conditional"},
                      std::pair{CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, "external semaphore wait"},
                      std::pair{CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, "external semaphore signal"}),
    [](const auto& info) { return std::to_string(info.param.first); });

}  // namespace
}  // namespace culprit::fakedriver
