// SPDX-License-Identifier: Apache-2.0
//
// What the application should know and the library cannot decide. Thread-safe.
#ifndef CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_WARNINGS_H_
#define CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_WARNINGS_H_

#include <mutex>
#include <string>
#include <vector>

namespace culprit::reference {

class Warnings {
 public:
  void Add(std::string text) {
    const std::lock_guard lock(mutex_);
    texts_.push_back(std::move(text));
  }
  std::vector<std::string> texts() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_BUFFER_RECIPE_WARNINGS_H_
