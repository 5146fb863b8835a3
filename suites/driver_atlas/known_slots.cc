// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/known_slots.h"

#include <algorithm>
#include <utility>

namespace culprit::atlas {
namespace {

bool AsksCurrentContext(const std::string& name) {
  return name == "cuCtxGetFlags" || name == "cuCtxGetApiVersion";
}

}  // namespace

std::string KnownSlots::Use(Random& random, Kind kind) {
  if (random.OneIn(24)) return "nil";
  if (kind == Kind::kStream && random.OneIn(4))
    return random.Pick<std::string>({"nil", "legacy", "perthread"});
  if (!gone_[kind].empty() && random.OneIn(8)) return random.Pick(gone_[kind]);
  if (living_[kind].empty()) return "";
  std::string name = random.Pick(living_[kind]);
  // Offsets stay inside: what lies behind an allocation differs from driver to driver.
  if (kind == Kind::kPointer && size_[name] > 512 && random.OneIn(6)) {
    name += "+" + random.Pick<std::string>({"1", "2", "4", "16", "511"});
  }
  return name;
}

bool KnownSlots::FreesPoolMemory(const std::string& name,
                                 const std::vector<std::string>& operands) const {
  return (name == "cuMemFree" || name == "cuMemFreeAsync") && pool_memory_.count(operands[0]) != 0;
}

bool KnownSlots::Tame(const std::string& name, std::vector<std::string>* operands) {
  if (name == "launch" || name == "launch_on") {
    const bool wants_parameters = takes_parameters_.count((*operands)[0]) != 0;
    if (wants_parameters != (name == "launch_on")) return false;
  }
  if (name == "launch_on") {
    const uint64_t size = size_.count((*operands)[1]) != 0 ? size_[(*operands)[1]] : 0;
    (*operands)[2] = size >= 64 ? "16" : "0";
  }
  // Memory of cuMemAlloc given up in a stream leaves the driver broken: crashes and refusals
  // follow, sometimes many calls later.
  if (name == "cuMemFreeAsync" && (*operands)[0] != "nil" &&
      pool_memory_.count((*operands)[0].substr(0, (*operands)[0].find('+'))) == 0) {
    return false;
  }
  if (!ReadsOnlyWhatWasWritten(name, *operands)) return false;
  if (AsksCurrentContext(name) && stack_.CurrentIsGone()) return false;
  if (name == "memset_node") {
    // Stream-ordered memory is there only once its stream has come to it, which no edge of the
    // graph says.
    if (size_[(*operands)[2]] < 64 || pool_memory_.count((*operands)[2]) != 0) return false;
    (*operands)[3] = "64";
    std::erase(living_[Kind::kPointer],
               (*operands)[2]);  // stays allocated as long as the graph may run
    pinned_.push_back((*operands)[2]);
  }
  return true;
}

void KnownSlots::RememberPrimary(const std::string& slot) {
  if (contexts_) stack_.After("primary", {slot});
}

void KnownSlots::Remember(const Operation& operation, const std::vector<std::string>& operands) {
  const std::string name = operation.name;
  RememberWriting(name, operands);
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    const OperandSpec& spec = operation.operands[i];
    const std::string& operand = operands[i];
    if (spec.ends && operand != "nil") {
      std::erase(living_[spec.kind], operand);
      const bool may_be_named_again = spec.kind == Kind::kPointer || spec.kind == Kind::kHost;
      if (may_be_named_again && operand.find('+') == std::string::npos) {
        gone_[spec.kind].push_back(operand);
      }
    }
    if (spec.out) RememberMade(name, spec.kind, operand, operands);
  }
  RememberReferences(name, operands);
  RememberFunctions(name, operands);
  RememberContexts(name, operands);
}

std::vector<std::string> KnownSlots::Left(Kind kind) const {
  std::vector<std::string> left;
  if (const auto living = living_.find(kind); living != living_.end()) left = living->second;
  if (kind == Kind::kPointer) left.insert(left.end(), pinned_.begin(), pinned_.end());
  return left;
}

uint64_t KnownSlots::Written(const std::string& pointer) const {
  const auto known = written_.find(pointer);
  return known == written_.end() ? 0 : known->second;
}

// What was never written is whatever was there before: it is not read. Sizes that reach far
// beyond an allocation are refused, and so may be named.
bool KnownSlots::ReadsOnlyWhatWasWritten(const std::string& name,
                                         const std::vector<std::string>& operands) {
  if (name != "download" && name != "cuMemcpyDtoD") return true;
  constexpr uint64_t kFarBeyond = 70000;
  const std::string& from = operands[name == "download" ? 0 : 1];
  const uint64_t bytes = std::stoull(operands[name == "download" ? 1 : 2]);
  const size_t plus = from.find('+');
  const std::string base = from.substr(0, plus);
  const uint64_t offset = plus == std::string::npos ? 0 : std::stoull(from.substr(plus + 1));
  return from == "nil" || offset + bytes <= Written(base) ||
         (bytes >= kFarBeyond && size_[base] <= 4096 && pitched_.count(base) == 0);
}

void KnownSlots::RememberMade(const std::string& name, Kind kind, const std::string& slot,
                              const std::vector<std::string>& operands) {
  if (kind == Kind::kNumber || kind == Kind::kHidden) return;
  if (name == "cuMemGetAddressRange" || name == "cuModuleGetGlobal" ||
      name == "cuMemHostGetDevicePointer") {
    return;  // parts of something else
  }
  gone_.clear();  // modules and pools take memory too
  living_[kind].push_back(slot);
  if (kind == Kind::kPointer)
    size_[slot] = std::stoull(operands[name == "cuMemAllocPitch" ? 2 : 1]);
  if (name == "cuMemAllocAsync" || name == "cuMemAllocFromPoolAsync") pool_memory_.insert(slot);
  if (name == "cuMemAllocPitch") pitched_.insert(slot);
}

void KnownSlots::RememberWriting(const std::string& name,
                                 const std::vector<std::string>& operands) {
  if (size_.count(operands.empty() ? "" : operands[0]) == 0) return;
  uint64_t bytes = 0;
  if (name == "upload") bytes = std::stoull(operands[1]);
  if (name == "cuMemsetD8") bytes = std::stoull(operands[2]);
  if (name == "cuMemsetD16") bytes = 2 * std::stoull(operands[2]);
  if (name == "cuMemsetD32") bytes = 4 * std::stoull(operands[2]);
  if (bytes > size_[operands[0]]) return;  // refused
  written_[operands[0]] = std::max(Written(operands[0]), bytes);
}

// A user object ends with its last reference, and is not named after that.
void KnownSlots::RememberReferences(const std::string& name,
                                    const std::vector<std::string>& operands) {
  if (name == "user_object") references_[operands[0]] = std::stoi(operands[1]);
  const bool moved = name == "cuGraphRetainUserObject" && operands[3] == "1";
  if (name != "cuUserObjectRelease" && !moved) return;
  const std::string& object = operands[moved ? 1 : 0];
  if (references_.count(object) != 0 && --references_[object] == 0) {
    std::erase(living_[Kind::kUserObject], object);
  }
}

// Functions end with their module.
void KnownSlots::RememberFunctions(const std::string& name,
                                   const std::vector<std::string>& operands) {
  if (name == "cuModuleGetFunction") {
    module_of_[operands[0]] = operands[1];
    if (operands[2] == "add_one") takes_parameters_.insert(operands[0]);
  }
  if (name != "cuModuleUnload") return;
  std::erase_if(living_[Kind::kFunction],
                [&](const std::string& function) { return module_of_[function] == operands[0]; });
}

// What lives in a context ends with it, and which context that was, only the driver knows: none
// of it is named again. Memory may be until something new is made: drivers look its address up.
void KnownSlots::RememberContexts(const std::string& name,
                                  const std::vector<std::string>& operands) {
  if (contexts_) {
    stack_.After(name, operands);
    std::erase_if(living_[Kind::kContext],
                  [&](const std::string& context) { return stack_.IsGone(context); });
  }
  if (name == "context") contexts_made_.push_back(operands[0]);
  if (name != "cuCtxDestroy" && name != "cuDevicePrimaryCtxRelease") return;
  if (name == "cuCtxDestroy") std::erase(contexts_made_, operands[0]);
  for (const Kind kind : {Kind::kPointer, Kind::kHost}) {
    std::vector<std::string>& living = living_[kind];
    gone_[kind].insert(gone_[kind].end(), living.begin(), living.end());
    living.clear();
  }
  for (const Kind kind :
       {Kind::kStream, Kind::kEvent, Kind::kModule, Kind::kFunction, Kind::kGraphExec}) {
    living_[kind].clear();
  }
}

}  // namespace culprit::atlas
