// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/generator.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suites/driver_atlas/context_stack.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

// splitmix64: the same numbers on every machine and compiler. The seed is mixed first: numbers of
// neighbouring seeds would else be the same ones, a few places on.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(Mix(seed + 0x2545f4914f6cdd1d)) {}
  uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15); }
  uint64_t Below(uint64_t n) { return Next() % n; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(from.size())];
  }

 private:
  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

// Operations drawn, with their weight. Streams are kept synchronous enough that no answer depends
// on time: no query of a busy stream, no host function that sleeps.
struct Choice {
  const char* operation;
  int weight;
  bool context;  // only with GeneratorOptions::contexts
};
constexpr Choice kChoices[] = {
    {"cuStreamCreate", 4, false},
    {"cuStreamCreateWithPriority", 2, false},
    {"cuStreamDestroy", 3, false},
    {"cuStreamSynchronize", 3, false},
    {"cuStreamGetFlags", 2, false},
    {"cuStreamGetPriority", 1, false},
    {"cuStreamGetCtx", 2, false},
    {"cuStreamWaitEvent", 3, false},
    {"cuEventCreate", 4, false},
    {"cuEventDestroy", 3, false},
    {"cuEventRecord", 4, false},
    {"cuEventSynchronize", 3, false},
    {"cuEventElapsedTime", 2, false},
    {"cuMemAlloc", 5, false},
    {"cuMemFree", 4, false},
    {"cuMemAllocPitch", 2, false},
    {"cuMemGetAddressRange", 3, false},
    {"cuMemHostAlloc", 2, false},
    {"cuMemFreeHost", 2, false},
    {"cuMemHostGetFlags", 1, false},
    {"cuMemHostGetDevicePointer", 1, false},
    {"attribute", 3, false},
    {"upload", 3, false},
    {"download", 3, false},
    {"cuMemcpyDtoD", 2, false},
    {"cuMemsetD8", 3, false},
    {"cuMemsetD16", 1, false},
    {"cuMemsetD32", 2, false},
    {"cuMemsetD2D8", 1, false},
    {"upload2d", 2, false},
    {"cuMemAllocAsync", 3, false},
    {"cuMemFreeAsync", 3, false},
    {"load", 2, false},
    {"cuModuleUnload", 2, false},
    {"cuModuleGetFunction", 3, false},
    {"cuModuleGetGlobal", 2, false},
    {"cuFuncGetAttribute", 2, false},
    {"launch", 3, false},
    {"launch_on", 4, false},
    {"cuCtxGetCurrent", 2, false},
    {"cuCtxGetDevice", 1, false},
    {"cuCtxSynchronize", 2, false},
    {"cuCtxGetFlags", 1, false},
    {"cuCtxGetApiVersion", 1, false},
    {"cuGraphCreate", 2, false},
    {"cuGraphDestroy", 1, false},
    {"empty_node", 2, false},
    {"memset_node", 2, false},
    {"node_count", 2, false},
    {"instantiate", 2, false},
    {"cuGraphLaunch", 2, false},
    {"cuGraphExecDestroy", 1, false},
    {"user_object", 1, false},
    {"cuGraphRetainUserObject", 1, false},
    {"cuUserObjectRelease", 1, false},
    {"pool", 1, false},
    {"cuMemAllocFromPoolAsync", 1, false},
    {"context", 4, true},
    {"cuCtxDestroy", 3, true},
    {"cuCtxPushCurrent", 4, true},
    {"cuCtxPopCurrent", 4, true},
    {"cuCtxSetCurrent", 4, true},
    {"cuDevicePrimaryCtxRetain", 2, true},
    {"cuDevicePrimaryCtxRelease", 2, true},
    {"cuDevicePrimaryCtxGetState", 2, true},
};

class Generator {
 public:
  Generator(uint64_t seed, const GeneratorOptions& options) : random_(seed), options_(options) {
    sequence_.name = "random/" + std::to_string(seed);
  }

  Sequence Run() {
    Add("primary", {Make(Kind::kContext)});
    if (options_.contexts) stack_.After("primary", sequence_.steps[0].operands);
    for (int i = 0; i < options_.steps; ++i) One();
    CleanUp();
    return std::move(sequence_);
  }

 private:
  void Add(const std::string& operation, std::vector<std::string> operands) {
    sequence_.steps.push_back({0, "", operation, std::move(operands)});
  }

  std::string Make(Kind kind) {
    return std::string(1, static_cast<char>(kind)) + std::to_string(counter_++);
  }

  // A living object of the kind, now and then a wrong value. Of what is gone only memory is named
  // again, and only while nothing new could have taken its place.
  std::string Use(Kind kind) {
    if (random_.OneIn(24)) return "nil";
    if (kind == Kind::kStream && random_.OneIn(4))
      return random_.Pick<std::string>({"nil", "legacy", "perthread"});
    if (!gone_[kind].empty() && random_.OneIn(8)) return random_.Pick(gone_[kind]);
    if (living_[kind].empty()) return "";
    std::string name = random_.Pick(living_[kind]);
    // Offsets stay inside: what lies behind an allocation differs from driver to driver.
    if (kind == Kind::kPointer && size_[name] > 512 && random_.OneIn(6)) {
      name += "+" + random_.Pick<std::string>({"1", "2", "4", "16", "511"});
    }
    return name;
  }

  std::string Number() {
    return random_.Pick<std::string>(
        {"0", "1", "2", "3", "4", "8", "16", "31", "64", "100", "512", "1000", "4096", "70000"});
  }

  std::string NumberFor(const std::string& operation, size_t i) {
    if (operation == "cuStreamCreate")
      return random_.Pick<std::string>({"0", "1", "0", "1", "2", "7"});
    if (operation == "cuStreamCreateWithPriority")
      return i == 1 ? random_.Pick<std::string>({"0", "1", "3"})
                    : random_.Pick<std::string>({"0", "-1", "-5", "-9", "1"});
    if (operation == "cuEventCreate")
      return random_.Pick<std::string>({"0", "1", "2", "3", "0", "2", "4", "9"});
    if (operation == "cuStreamWaitEvent")
      return random_.Pick<std::string>({"0", "0", "0", "1", "2"});
    if (operation == "cuMemHostAlloc")
      return i == 2 ? random_.Pick<std::string>({"0", "1", "2", "3", "4", "8"}) : Number();
    if (operation == "cuMemHostGetDevicePointer" || operation == "cuGraphCreate")
      return random_.Pick<std::string>({"0", "0", "0", "1"});
    if (operation == "attribute") return random_.Pick<std::string>({"1", "2", "6", "7", "8", "9"});
    if (operation == "cuFuncGetAttribute")
      return random_.Pick<std::string>({"0", "1", "2", "3", "10", "99"});
    if (operation == "launch_on" && i >= 3)
      return random_.Pick<std::string>({"1", "1", "32", "64", "0", "1024", "1025"});
    if (operation == "launch")
      return random_.Pick<std::string>({"1", "1", "32", "0", "256", "1025"});
    if (operation == "instantiate") return "0";
    if (operation == "user_object") return random_.Pick<std::string>({"1", "1", "2", "0"});
    if (operation == "cuGraphRetainUserObject" && i == 3)
      return random_.Pick<std::string>({"0", "1"});
    if (operation == "cuUserObjectRelease" || operation == "cuGraphRetainUserObject") return "1";
    if (operation == "cuMemAllocPitch" && i != 4) {
      return random_.Pick<std::string>({"0", "1", "31", "100", "512", "1000"});
    }
    if (operation == "cuMemAllocPitch" && i == 4)
      return random_.Pick<std::string>({"4", "8", "16", "4", "1", "0"});
    if (operation == "context")
      return i == 1 ? random_.Pick<std::string>({"0", "0", "1", "4", "99"}) : "0";
    if (operation == "pool" || operation == "cuDevicePrimaryCtxRetain" ||
        operation == "cuDevicePrimaryCtxRelease" || operation == "cuDevicePrimaryCtxGetState") {
      return random_.OneIn(10) ? "99" : "0";
    }
    return Number();
  }

  std::string TextFor(const std::string& operation) {
    if (operation == "load")
      return random_.Pick<std::string>({"add_one", "add_one", "add_one", "prose", "nil"});
    if (operation == "cuModuleGetGlobal")
      return random_.Pick<std::string>({"counter", "limit", "missing"});
    return random_.Pick<std::string>({"add_one", "nothing", "nothing", "shared_use", "missing"});
  }

  const Choice& Draw() {
    auto weight = [&](const Choice& choice) {
      return choice.context && !options_.contexts ? 0 : choice.weight;
    };
    int total = 0;
    for (const Choice& choice : kChoices) total += weight(choice);
    auto left = static_cast<int>(random_.Below(static_cast<uint64_t>(total)));
    for (const Choice& choice : kChoices) {
      left -= weight(choice);
      if (left < 0) return choice;
    }
    return kChoices[0];
  }

  void One() {
    const std::string name = Draw().operation;
    const Operation* operation = FindOperation(name);
    std::vector<std::string> operands;
    for (size_t i = 0; i < operation->operands.size(); ++i) {
      const OperandSpec& spec = operation->operands[i];
      std::string operand;
      if (spec.out) {
        operand = Make(spec.kind);
      } else if (spec.kind == Kind::kNumber || spec.kind == Kind::kDevice) {
        operand = NumberFor(name, i);
      } else if (spec.kind == Kind::kText) {
        operand = TextFor(name);
      } else {
        operand = Use(spec.kind);
        if (operand.empty()) return;  // nothing of that kind yet
      }
      operands.push_back(operand);
    }
    if (!Tame(name, &operands)) return;
    const bool looks = name == "cuEventElapsedTime" || name == "download" || name == "cuMemcpyDtoD";
    if (looks || FreesPoolMemory(name, operands)) Add("cuCtxSynchronize", {});
    Add(name, operands);
    Remember(*operation, operands);
  }

  // Freeing stream-ordered memory waits for nothing, so that work on it that is still queued faults
  // on the device.
  bool FreesPoolMemory(const std::string& name, const std::vector<std::string>& operands) const {
    return (name == "cuMemFree" || name == "cuMemFreeAsync") &&
           pool_memory_.count(operands[0]) != 0;
  }

  // Bytes from the start of an allocation that the sequence wrote for certain.
  uint64_t Written(const std::string& pointer) const {
    const auto known = written_.find(pointer);
    return known == written_.end() ? 0 : known->second;
  }

  // What was never written is whatever was there before: it is not read. Sizes that reach far
  // beyond an allocation are refused, and so may be named.
  bool ReadsOnlyWhatWasWritten(const std::string& name, const std::vector<std::string>& operands) {
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

  void RememberWriting(const std::string& name, const std::vector<std::string>& operands) {
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
  void RememberReferences(const std::string& name, const std::vector<std::string>& operands) {
    if (name == "user_object") references_[operands[0]] = std::stoi(operands[1]);
    const bool moved = name == "cuGraphRetainUserObject" && operands[3] == "1";
    if (name != "cuUserObjectRelease" && !moved) return;
    const std::string& object = operands[moved ? 1 : 0];
    if (references_.count(object) != 0 && --references_[object] == 0) {
      std::erase(living_[Kind::kUserObject], object);
    }
  }

  // Device code must not fault, and no answer may depend on time: changes the operands accordingly,
  // or refuses the step.
  bool Tame(const std::string& name, std::vector<std::string>* operands) {
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

  void Remember(const Operation& operation, const std::vector<std::string>& operands) {
    const std::string name = operation.name;
    if (name == "cuModuleGetFunction" && operands[2] == "add_one")
      takes_parameters_.insert(operands[0]);
    RememberWriting(name, operands);
    for (size_t i = 0; i < operation.operands.size(); ++i) {
      const OperandSpec& spec = operation.operands[i];
      const std::string& operand = operands[i];
      if (spec.ends && operand != "nil") {
        std::erase(living_[spec.kind], operand);
        const bool may_be_named_again = spec.kind == Kind::kPointer || spec.kind == Kind::kHost;
        if (may_be_named_again && operand.find('+') == std::string::npos)
          gone_[spec.kind].push_back(operand);
      }
      if (!spec.out || spec.kind == Kind::kNumber || spec.kind == Kind::kHidden) continue;
      if (name == "cuMemGetAddressRange" || name == "cuModuleGetGlobal" ||
          name == "cuMemHostGetDevicePointer")
        continue;
      gone_.clear();  // modules and pools take memory too
      living_[spec.kind].push_back(operand);
      if (spec.kind == Kind::kPointer)
        size_[operand] = std::stoull(operands[name == "cuMemAllocPitch" ? 2 : 1]);
      if (name == "cuMemAllocAsync" || name == "cuMemAllocFromPoolAsync") {
        pool_memory_.insert(operand);
      }
      if (name == "cuMemAllocPitch") pitched_.insert(operand);
    }
    RememberReferences(name, operands);
    RememberFunctions(name, operands);
    RememberContexts(name, operands);
  }

  // Functions end with their module.
  void RememberFunctions(const std::string& name, const std::vector<std::string>& operands) {
    if (name == "cuModuleGetFunction") module_of_[operands[0]] = operands[1];
    if (name != "cuModuleUnload") return;
    std::erase_if(living_[Kind::kFunction],
                  [&](const std::string& function) { return module_of_[function] == operands[0]; });
  }

  static bool AsksCurrentContext(const std::string& name) {
    return name == "cuCtxGetFlags" || name == "cuCtxGetApiVersion";
  }

  // What lives in a context ends with it, and which context that was, only the driver knows: none
  // of it is named again. Memory may be until something new is made: drivers look its address up.
  void RememberContexts(const std::string& name, const std::vector<std::string>& operands) {
    if (options_.contexts) {
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

  void CleanUp() {
    static const std::pair<Kind, const char*> kDestroyers[] = {
        {Kind::kGraphExec, "cuGraphExecDestroy"}, {Kind::kGraph, "cuGraphDestroy"},
        {Kind::kModule, "cuModuleUnload"},        {Kind::kEvent, "cuEventDestroy"},
        {Kind::kStream, "cuStreamDestroy"},       {Kind::kPointer, "cuMemFree"},
        {Kind::kHost, "cuMemFreeHost"},
    };
    for (const std::string& name : pinned_) living_[Kind::kPointer].push_back(name);
    if (!pool_memory_.empty()) Add("cuCtxSynchronize", {});
    for (const auto& [kind, destroyer] : kDestroyers) {
      for (const std::string& name : living_[kind]) Add(destroyer, {name});
    }
    // Popped first: a destroyed context below others would stay on the thread's stack.
    for (int i = 0; i < stack_.most_entries(); ++i) Add("cuCtxPopCurrent", {Make(Kind::kContext)});
    for (const std::string& context : contexts_made_) Add("cuCtxDestroy", {context});
    Add("cuCtxSetCurrent", {"nil"});
  }

  Random random_;
  GeneratorOptions options_;
  Sequence sequence_;
  int counter_ = 0;
  std::map<Kind, std::vector<std::string>> living_, gone_;
  std::map<std::string, uint64_t> size_;  // bytes, of pointers
  std::map<std::string, uint64_t> written_;
  std::map<std::string, int> references_;         // of user objects
  std::set<std::string> pool_memory_;             // pointers
  std::set<std::string> pitched_;                 // pointers
  std::set<std::string> takes_parameters_;        // functions
  std::map<std::string, std::string> module_of_;  // of functions
  std::vector<std::string> pinned_;
  std::vector<std::string> contexts_made_;
  ContextStack stack_;  // empty without GeneratorOptions::contexts
};

}  // namespace

Sequence Generate(uint64_t seed, const GeneratorOptions& options) {
  return Generator(seed, options).Run();
}

Sequence Slice(const Sequence& sequence, size_t step) {
  if (step >= sequence.steps.size()) return sequence;
  // An operand that names a slot begins with a letter; offsets stay off.
  auto slots = [](const Step& of) {
    std::set<std::string> names;
    for (const std::string& operand : of.operands) {
      if (std::isalpha(static_cast<unsigned char>(operand[0])) != 0) {
        names.insert(operand.substr(0, operand.find('+')));
      }
    }
    for (const char* word : {"nil", "legacy", "perthread"}) names.erase(word);
    return names;
  };
  std::set<std::string> wanted = slots(sequence.steps[step]);
  Sequence slice{sequence.name, {sequence.steps[step]}};
  for (size_t i = step; i-- > 0;) {
    const std::set<std::string> used = slots(sequence.steps[i]);
    const bool shared = std::any_of(
        used.begin(), used.end(), [&](const std::string& name) { return wanted.count(name) != 0; });
    if (i != 0 && !shared) continue;  // the first makes a context current
    wanted.insert(used.begin(), used.end());
    slice.steps.insert(slice.steps.begin(), sequence.steps[i]);
  }
  return slice;
}

Sequence Shrink(const Sequence& sequence, const std::function<bool(const Sequence&)>& fails) {
  Sequence best = sequence;
  for (size_t chunk = best.steps.size() / 2; chunk >= 1;) {
    bool smaller = false;
    for (size_t start = 0; start + chunk <= best.steps.size();) {
      Sequence candidate = best;
      candidate.steps.erase(candidate.steps.begin() + static_cast<long>(start),
                            candidate.steps.begin() + static_cast<long>(start + chunk));
      if (!candidate.steps.empty() && fails(candidate)) {
        best = std::move(candidate);
        smaller = true;
      } else {
        start += chunk;
      }
    }
    if (!smaller || chunk > best.steps.size()) chunk /= 2;
  }
  return best;
}

}  // namespace culprit::atlas
