// SPDX-License-Identifier: Apache-2.0
// Named values of one scenario: handles, pointers and numbers that calls produced and later calls
// use.
#ifndef SUITES_DRIVER_ATLAS_SLOTS_H_
#define SUITES_DRIVER_ATLAS_SLOTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace culprit::atlas {

enum class Kind : char {
  kContext = 'C',
  kDevice = 'D',
  kStream = 'S',
  kEvent = 'E',
  kModule = 'M',
  kFunction = 'F',
  kPointer = 'P',
  kHost = 'H',
  kPool = 'L',
  kGraph = 'G',
  kGraphExec = 'X',
  kNode = 'N',
  kUserObject = 'U',
  kLibrary = 'Y',
  kKernel = 'K',
  kNumber = 'i',  // compared
  kHidden = 'h',  // a number that differs from machine to machine: only whether it was written is
                  // compared
  kText = 't',
};

struct Slot {
  uint64_t value = 0;
  Kind kind = Kind::kNumber;
  uint64_t module = 0;  // functions and variables: handle of the module they end with
  bool alive = true;
};

class Slots {
 public:
  void Set(const std::string& name, Kind kind, uint64_t value, uint64_t module = 0) {
    slots_[name] = {value, kind, module};
  }
  const Slot* Find(const std::string& name) const;
  // The object behind this value is gone, and what a module had with it: later objects may get the
  // same value without being the same.
  void MarkDead(Kind kind, uint64_t value);
  // The value of an operand: number, slot, slot+offset, nil, legacy, perthread. Empty: no such
  // slot.
  std::optional<uint64_t> Evaluate(const std::string& operand) const;
  // "null", "=a" (an earlier slot holds the same living object) or "new".
  std::string Describe(const std::string& own_name, Kind kind, uint64_t value) const;

 private:
  std::map<std::string, Slot> slots_;
};

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_SLOTS_H_
