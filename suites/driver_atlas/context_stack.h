// SPDX-License-Identifier: Apache-2.0
// What a random sequence may know of its thread's context stack: which context each entry and each
// slot stands for, and which of them are gone. A call that could fail counts as one that did what
// leaves less to rely on.
#ifndef SUITES_DRIVER_ATLAS_CONTEXT_STACK_H_
#define SUITES_DRIVER_ATLAS_CONTEXT_STACK_H_

#include <map>
#include <set>
#include <string>
#include <vector>

namespace culprit::atlas {

class ContextStack {
 public:
  // The step that came next. Operations that have nothing to do with contexts are welcome.
  void After(const std::string& operation, const std::vector<std::string>& operands);

  // The current context was destroyed, perhaps.
  bool CurrentIsGone() const;
  // The slot names a context that was destroyed, perhaps.
  bool IsGone(const std::string& slot) const;
  // As many pops leave the stack empty.
  int most_entries() const { return most_entries_; }

 private:
  std::string Current() const { return entries_.empty() ? "" : entries_.back(); }
  std::string Named(const std::string& slot) const;
  void Push(const std::string& context);
  void End(const std::string& context);

  std::vector<std::string> entries_;           // the last is current
  std::map<std::string, std::string> named_;   // contexts by slot; "": none
  std::map<std::string, std::string> owners_;  // of streams
  std::set<std::string> gone_;
  int retains_ = 0;  // of the primary context
  int lives_ = 0;    // that it has had: each is a context of its own here
  int most_entries_ = 0;
};

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_CONTEXT_STACK_H_
