// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/fake_driver.h"

#include <dlfcn.h>

namespace culprit {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, rule, severity, title, message, entry, argument, object,
                                   handle, call, thread, location, harness, count, details)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CreatedBy, call, entry, thread, location)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LiveObject, kind, number, handle, context, bytes, harness,
                                   orphan, created_by)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LoggedCall, seq, thread, entry, nth, result, fault)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UnfiredFault, id, name, matched)

Fake Fake::Load(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw FakeError(dlerror());
  auto entry = reinterpret_cast<culprit_control_fn>(dlsym(handle, CULPRIT_CONTROL_SYMBOL));
  if (entry == nullptr) {
    throw FakeError(library + " does not export " CULPRIT_CONTROL_SYMBOL
                              ": it is not the fake driver; check the library path");
  }
  const culprit_control_table* table = entry();
  if (table == nullptr || table->abi != CULPRIT_CONTROL_ABI ||
      table->size < sizeof(culprit_control_table)) {
    throw FakeError(library + " speaks another version of the control ABI");
  }
  return Fake(table);
}

void Fake::Check(int status) const {
  if (status < 0) throw FakeError(table_->last_error());
}

void Fake::Configure(const nlohmann::json& settings) const {
  Check(table_->configure(settings.dump().c_str()));
}

InjectedFault Fake::Inject(const FaultSpec& spec) const {
  const culprit_fault fault = {
      .size = sizeof(culprit_fault),
      .entry = spec.entry.empty() ? nullptr : spec.entry.c_str(),
      .family = spec.family.empty() ? nullptr : spec.family.c_str(),
      .thread = spec.thread,
      .nth = spec.nth,
      .when = spec.after ? CULPRIT_FAULT_AFTER : CULPRIT_FAULT_BEFORE,
      .span = spec.sticky ? CULPRIT_FAULT_STICKY : CULPRIT_FAULT_ONCE,
      .result = spec.result,
      .optional = spec.optional ? 1u : 0u,
  };
  const int id = table_->add_fault(&fault);
  Check(id);
  return InjectedFault(table_, id);
}

void Fake::AddPlan(const std::string& text, const std::string& name_for_errors) const {
  Check(table_->add_plan(text.c_str(), name_for_errors.c_str()));
}

std::vector<UnfiredFault> Fake::UnfiredFaults() const { return Parse(table_->unfired_faults()); }

std::vector<LoggedCall> Fake::CallLog() const { return Parse(table_->call_log()); }

culprit_live Fake::Live() const {
  culprit_live live{};
  live.size = sizeof live;
  table_->live(&live);
  return live;
}

culprit_launches Fake::Launches() const {
  culprit_launches launches{};
  launches.size = sizeof launches;
  table_->launches(&launches);
  return launches;
}

std::vector<LiveObject> Fake::LiveObjects() const { return Parse(table_->live_objects()); }

std::vector<Finding> Fake::Findings() const { return Parse(table_->findings()); }

}  // namespace culprit
