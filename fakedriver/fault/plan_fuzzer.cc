// SPDX-License-Identifier: Apache-2.0
//
// Any text is a plan or an error that says where: never a crash, a hang or an exception. Plans that
// are accepted are also run.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fakedriver/fault/engine.h"
#include "fakedriver/fault/plan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace fault = culprit::fakedriver::fault;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string error;
  auto faults = fault::ParsePlan(text, "plan", &error);
  if (!faults) {
    if (!error.starts_with("plan:")) std::abort();
    return 0;
  }
  fault::Clear();
  for (fault::Fault& planned : *faults) {
    if (!fault::Objection(planned).empty()) std::abort();
    fault::Plan(std::move(planned));
  }
  for (uint16_t api = 0; api < culprit::fakedriver::kApiCount; api += 97) {
    culprit::fakedriver::CallInProgress call;
    call.api = static_cast<culprit::fakedriver::ApiId>(api);
    fault::Decide(call, 1, true);
  }
  return 0;
}
