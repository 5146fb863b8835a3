// SPDX-License-Identifier: Apache-2.0
//
// A death test whose process loads the fake driver with settings and a fault plan of its own: the
// runtime's tests know the fake only by its environment, as programs do.
#ifndef RUNTIME_TESTING_OWN_PROCESS_H_
#define RUNTIME_TESTING_OWN_PROCESS_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace culprit::runtime::testing {

struct Surroundings {
  std::string settings = {};  // JSON
  std::string plan = {};      // YAML
};

// While one lives, processes start with its surroundings. Death tests of the style that is set here
// run the test program anew, and in it the test from its start.
class OwnProcess {
 public:
  explicit OwnProcess(const Surroundings& surroundings = {}) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (!surroundings.settings.empty()) {
      setenv("CULPRIT_SETTINGS", surroundings.settings.c_str(), 1);
    }
    // In the new process the plan is there already.
    if (!surroundings.plan.empty() && getenv("CULPRIT_PLAN") == nullptr) {
      plan_ = ::testing::TempDir() + "runtime_plan_XXXXXX";
      const int file = mkstemp(plan_.data());
      const auto size = static_cast<ssize_t>(surroundings.plan.size());
      EXPECT_EQ(write(file, surroundings.plan.data(), surroundings.plan.size()), size);
      close(file);
      setenv("CULPRIT_PLAN", plan_.c_str(), 1);
    }
  }
  ~OwnProcess() {
    unsetenv("CULPRIT_SETTINGS");
    unsetenv("CULPRIT_PLAN");
    if (!plan_.empty()) unlink(plan_.c_str());
  }
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  // In the new process: ends it, with 0 if no expectation failed.
  template <typename Body>
  void Run(Body body) const {
    body();
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  }

 private:
  std::string plan_;
};

}  // namespace culprit::runtime::testing

#endif  // RUNTIME_TESTING_OWN_PROCESS_H_
