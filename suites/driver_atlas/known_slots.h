// SPDX-License-Identifier: Apache-2.0
// What a random sequence may know of what it has made: which slots still name something, how large
// memory is and how much of it was written. Names operands, and keeps away from what real drivers
// leave undefined.
#ifndef SUITES_DRIVER_ATLAS_KNOWN_SLOTS_H_
#define SUITES_DRIVER_ATLAS_KNOWN_SLOTS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suites/driver_atlas/context_stack.h"
#include "suites/driver_atlas/operations.h"
#include "suites/driver_atlas/random.h"

namespace culprit::atlas {

class KnownSlots {
 public:
  explicit KnownSlots(bool contexts) : contexts_(contexts) {}

  // A living object of the kind, now and then a wrong value. Of what is gone only memory is named
  // again, and only while nothing new could have taken its place. "": nothing of that kind yet.
  std::string Use(Random& random, Kind kind);

  // Device code must not fault, and no answer may depend on time: changes the operands accordingly,
  // or refuses the step.
  bool Tame(const std::string& name, std::vector<std::string>* operands);

  // Freeing stream-ordered memory waits for nothing, so that work on it that is still queued faults
  // on the device.
  bool FreesPoolMemory(const std::string& name, const std::vector<std::string>& operands) const;

  // The first step, which makes the primary context current.
  void RememberPrimary(const std::string& slot);
  // The step that came next.
  void Remember(const Operation& operation, const std::vector<std::string>& operands);

  // What is to be destroyed at the end of the sequence.
  std::vector<std::string> Left(Kind kind) const;
  bool MadePoolMemory() const { return !pool_memory_.empty(); }
  const std::vector<std::string>& contexts_made() const { return contexts_made_; }
  int most_stack_entries() const { return stack_.most_entries(); }

 private:
  uint64_t Written(const std::string& pointer) const;
  bool ReadsOnlyWhatWasWritten(const std::string& name, const std::vector<std::string>& operands);
  void RememberMade(const std::string& name, Kind kind, const std::string& slot,
                    const std::vector<std::string>& operands);
  void RememberWriting(const std::string& name, const std::vector<std::string>& operands);
  void RememberReferences(const std::string& name, const std::vector<std::string>& operands);
  void RememberFunctions(const std::string& name, const std::vector<std::string>& operands);
  void RememberContexts(const std::string& name, const std::vector<std::string>& operands);

  bool contexts_;
  std::map<Kind, std::vector<std::string>> living_, gone_;
  std::map<std::string, uint64_t> size_;          // bytes, of pointers
  std::map<std::string, uint64_t> written_;       // bytes from the start, of pointers, for certain
  std::map<std::string, int> references_;         // of user objects
  std::set<std::string> pool_memory_;             // pointers
  std::set<std::string> pitched_;                 // pointers
  std::set<std::string> takes_parameters_;        // functions
  std::map<std::string, std::string> module_of_;  // of functions
  std::vector<std::string> pinned_;               // pointers that a graph may still write to
  std::vector<std::string> contexts_made_;
  ContextStack stack_;  // empty without contexts
};

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_KNOWN_SLOTS_H_
