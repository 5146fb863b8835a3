// SPDX-License-Identifier: Apache-2.0
//
// A subject that is no extractor: an object whose named operations a port offers. The object is
// made by the first operation and goes with a "release" that succeeded.
#ifndef CULPRIT_REFERENCE_IMPL_PORT_OPERATION_TABLE_H_
#define CULPRIT_REFERENCE_IMPL_PORT_OPERATION_TABLE_H_

#include <cerrno>
#include <span>
#include <string>
#include <string_view>

#include "reference_impl/framework/options.h"
#include "reference_impl/port/port_status.h"
#include "reference_impl/port/ports.h"

namespace culprit::reference {

template <typename Subject>
struct Operation {
  std::string_view name;
  culprit_status (*run)(Subject& subject, const Options& arguments);
};

// `operations` has a row named "release".
template <typename Subject, size_t Count>
int Operate(const Operation<Subject> (&operations)[Count], void** instance, const char* name,
            const culprit_option* arguments, uint32_t argument_count, culprit_status* status) {
  Options read;
  for (uint32_t i = 0; i < argument_count; ++i) read[arguments[i].key] = arguments[i].value;
  if (*instance == nullptr) *instance = new Subject;
  auto* subject = static_cast<Subject*>(*instance);
  for (const Operation<Subject>& operation : operations) {
    if (operation.name != name) continue;
    const culprit_status done = operation.run(*subject, read);
    if (operation.name == "release" && done.error == 0) {
      delete subject;
      *instance = nullptr;
    }
    return Report(done, status);
  }
  return Report(ExtractorFailure(-EINVAL, std::string("no operation is called ") + name), status);
}

// A port that can only operate.
inline culprit_port OperatingPort(const char* const* names) {
  culprit_port port{};
  port.size = sizeof port;
  port.abi = CULPRIT_PORT_ABI;
  port.name = kPortName;
  port.version = kPortVersion;
  port.abilities = CULPRIT_CAN_OPERATE | CULPRIT_CAN_RETRY_CLOSE;
  port.operations = names;
  return port;
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PORT_OPERATION_TABLE_H_
