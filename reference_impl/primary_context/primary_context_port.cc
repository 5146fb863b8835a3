// SPDX-License-Identifier: Apache-2.0
//
// The binding of the primary context as a subject.
//
//   job                         load, launch, wait, unload, each on another thread of the service
//   direct_job                  the same on the calling thread
//   other_owner_over_releases   a foreign release of a retain that was not the foreigner's
//   other_owner_resets          a foreign reset of the device
//   release                     what is left of jobs whose unload failed
#include "reference_impl/port/operation_table.h"
#include "reference_impl/primary_context/launch_service.h"

namespace culprit::reference {
namespace {

constexpr Operation<LaunchService> kOperations[] = {
    {"job", [](LaunchService& service, const Options&) { return StatusOf(service.Run()); }},
    {"direct_job",
     [](LaunchService& service, const Options&) { return StatusOf(service.RunDirectly()); }},
    {"other_owner_over_releases",
     [](LaunchService& service, const Options&) {
       return StatusOf(service.OtherOwnerReleasesOnceTooOften());
     }},
    {"other_owner_resets",
     [](LaunchService& service, const Options&) { return StatusOf(service.OtherOwnerResets()); }},
    {"release", [](LaunchService& service, const Options&) { return StatusOf(service.Release()); }},
};

constexpr culprit_lifetime kLifetimes[] = {
    {"primary_retain", "BindPrimaryContext",
     "every entry retains afresh and never gives back: a kept handle goes stale when another owner "
     "releases once too often or "
     "resets, and the context must outlive every thread"},
};

}  // namespace

const culprit_port& PrimaryContextPort() {
  static const char* const kNames[] = {
      "job", "direct_job", "other_owner_over_releases", "other_owner_resets", "release", nullptr};
  static const culprit_port port = [] {
    culprit_port made = OperatingPort(kNames);
    made.lifetimes = kLifetimes;
    made.lifetime_count = std::size(kLifetimes);
    made.operate = [](void** instance, const char* name, const culprit_option* arguments,
                      uint32_t count, culprit_status* status) {
      return Operate(kOperations, instance, name, arguments, count, status);
    };
    return made;
  }();
  return port;
}

}  // namespace culprit::reference
