// SPDX-License-Identifier: Apache-2.0
//
// What the port promises where no driver is needed: the suites cannot pass it nothing.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "reference_impl/port/ports.h"

namespace culprit::reference {
namespace {

culprit_status EmptyStatus() {
  culprit_status status{};
  status.size = sizeof status;
  return status;
}

TEST(ReferencePort, FreesAndClosesNothingWithoutComplaint) {
  culprit_status status = EmptyStatus();
  culprit_state* state = nullptr;
  EXPECT_EQ(ReferencePort().state_free(&state, &status), 0);
  culprit_session* session = nullptr;
  EXPECT_EQ(ReferencePort().close(&session, &status), 0);
  EXPECT_EQ(status.error, 0);
}

TEST(ReferencePort, RefusesAGeometryWithANegativeErrnoOfTheExtractorsDomain) {
  culprit_status status = EmptyStatus();
  culprit_config config{};
  config.size = sizeof config;
  config.width = 1;
  config.height = 1;
  config.bits = 8;
  config.format = CULPRIT_PIXEL_420;
  culprit_session* session = nullptr;
  EXPECT_EQ(ReferencePort().open(&config, &session, &status), -EINVAL);
  EXPECT_EQ(status.domain, CULPRIT_DOMAIN_EXTRACTOR);
  EXPECT_EQ(session, nullptr);
}

TEST(ReferencePort, WithoutADriverAStateInitFailsAndLeavesThePointerAlone) {
  if (void* installed = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    dlclose(installed);
    GTEST_SKIP() << "a driver is installed here";
  }
  culprit_status status = EmptyStatus();
  culprit_state* const untouched = reinterpret_cast<culprit_state*>(&status);
  culprit_state* state = untouched;
  EXPECT_EQ(ReferencePort().state_init(nullptr, &state, &status), -ENOENT);
  EXPECT_EQ(status.domain, CULPRIT_DOMAIN_HOST);
  EXPECT_EQ(state, untouched);
}

TEST(EveryPort, DeclaresItsExceptionsWithTheirReasons) {
  for (const culprit_port* port : {&ReferencePort(), &PrimaryContextPort(), &BufferRecipePort()}) {
    ASSERT_GT(port->lifetime_count, 0u);
    for (uint32_t i = 0; i < port->lifetime_count; ++i) {
      EXPECT_STRNE(port->lifetimes[i].kind, "");
      EXPECT_STRNE(port->lifetimes[i].where, "");
      EXPECT_STRNE(port->lifetimes[i].reason, "");
    }
  }
}

TEST(PrimaryContextPort, DeclaresTheRetainForTheLifeOfTheProcess) {
  ASSERT_EQ(PrimaryContextPort().lifetime_count, 1u);
  EXPECT_STREQ(PrimaryContextPort().lifetimes[0].kind, "primary_retain");
}

}  // namespace
}  // namespace culprit::reference
