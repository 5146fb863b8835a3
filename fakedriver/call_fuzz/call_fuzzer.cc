// SPDX-License-Identifier: Apache-2.0
//
// Any sequence of driver calls answers: whatever a real driver leaves undefined is an error and a
// finding here, never a crash, a hang or a wrong byte. The input's bytes choose settings, entries
// and arguments. CULPRIT_FUZZ_PRINT=1 prints the calls.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fakedriver/call_fuzz/call_table.h"
#include "fakedriver/control/fake_driver.h"

namespace culprit::fakedriver::call_fuzz {
namespace {

constexpr int kMostCalls = 120;

struct Subject {
  Fake fake = Fake::Load(CULPRIT_FAKE_LIBRARY);
  std::vector<void*> entries;
  const bool print = std::getenv("CULPRIT_FUZZ_PRINT") != nullptr;

  Subject() {
    void* library = dlopen(CULPRIT_FAKE_LIBRARY, RTLD_NOW);
    for (const DrawnCall& call : AllCalls()) entries.push_back(dlsym(library, call.symbol));
  }
};

size_t IndexOf(std::string_view symbol) {
  size_t index = 0;
  while (symbol != AllCalls()[index].symbol) ++index;
  return index;
}

void Call(Subject& subject, size_t index, Values& values) {
  const DrawnCall& call = AllCalls()[index];
  if (subject.print) std::fprintf(stderr, "%s", call.symbol);
  const CUresult result = call.run(subject.entries[index], values);
  if (subject.print) std::fprintf(stderr, " -> %d\n", result);
}

void Start(Subject& subject, Choices& choices) {
  static constexpr const char* kPolicies[] = {"eager", "timed", "lazy", "random"};
  static constexpr const char* kProfiles[] = {"r580", "strict", "strict-submit"};
  subject.fake.Reset();
  subject.fake.Configure({{"policy", choices.Pick(kPolicies)},
                          {"profile", choices.Pick(kProfiles)},
                          {"handle_reuse", choices.OneIn(2) ? "newest-first" : "never"},
                          {"certify", choices.OneIn(2)},
                          {"kernel_instructions", 20000},
                          {"checks",
                           {{"uninitialized", choices.OneIn(4)},
                            {"races", choices.OneIn(4)},
                            {"block_races", choices.OneIn(4)}}}});
  subject.fake.LogCalls(choices.Below(2) == 0);
}

}  // namespace
}  // namespace culprit::fakedriver::call_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace culprit::fakedriver::call_fuzz;
  static Subject& subject = *new Subject;
  static const size_t init = IndexOf("cuInit");
  static const size_t context = IndexOf("cuCtxCreate_v2");
  Choices choices(data, size);
  Values values(choices);
  Start(subject, choices);
  // Most sequences begin as programs do.
  if (!choices.OneIn(16)) {
    Choices zeros(nullptr, 0);
    Values plain(zeros);
    Call(subject, init, plain);
    CUcontext made = nullptr;
    reinterpret_cast<CUresult (*)(CUcontext*, unsigned, CUdevice)>(subject.entries[context])(&made,
                                                                                             0, 0);
    values.Remember(typeid(CUcontext), reinterpret_cast<uint64_t>(made));
  }
  const auto entries = static_cast<unsigned>(AllCalls().size());
  for (int calls = 0; calls < kMostCalls && !choices.over(); ++calls) {
    Call(subject, choices.Below(entries), values);
  }
  subject.fake.Live();
  subject.fake.LiveObjects();
  subject.fake.EndOfLife();
  subject.fake.Findings();
  subject.fake.CallLog();
  return 0;
}
