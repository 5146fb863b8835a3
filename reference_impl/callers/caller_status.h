// SPDX-License-Identifier: Apache-2.0
//
// A port's status on the caller's side.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_CALLER_STATUS_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_CALLER_STATUS_H_

#include <string>

#include "suites/culprit_port.h"

namespace culprit::reference {

// Ready to be passed to a port.
inline culprit_status EmptyStatus() {
  culprit_status status{};
  status.size = sizeof status;
  return status;
}

// "submit of frame 3: motion: submit: cuLaunchKernel answered 700 (driver, errno 5)"
std::string Describe(const std::string& step, const culprit_status& status);

// Keeps the first failure of a run; later ones do not replace it.
class FirstFailure {
 public:
  // True if `status` is a success.
  bool Note(const std::string& step, const culprit_status& status) {
    if (status.error == 0) return true;
    if (!failed_) {
      failed_ = true;
      status_ = status;
      step_ = step;
    }
    return false;
  }
  bool failed() const { return failed_; }
  int error() const { return failed_ ? status_.error : 0; }
  const culprit_status& status() const { return status_; }
  std::string Text() const { return Describe(step_, status_); }

 private:
  bool failed_ = false;
  culprit_status status_{};
  std::string step_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_CALLER_STATUS_H_
