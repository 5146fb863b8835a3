// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/host_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "input/input_error.h"

namespace culprit::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(HostProcessTest, APortThatHangsWhileItIsLoadedIsGivenUpAndNamed) {
  setenv("CULPRIT_TEST_LOADING", "hang", 1);
  suites::HostRequest request;
  request.port = CULPRIT_TEST_LOADING_PORT;
  EXPECT_THAT(
      [&] {
        RunHost(
            CULPRIT_HOST, CULPRIT_FAKE_FOLDER, suites::ToJson(request),
            [](const nlohmann::json&) {}, std::chrono::seconds(2));
      },
      testing::ThrowsMessage<InputError>(
          AllOf(HasSubstr(CULPRIT_TEST_LOADING_PORT), HasSubstr("did not return within 2 s"))));
  unsetenv("CULPRIT_TEST_LOADING");
}

}  // namespace
}  // namespace culprit::tools
