// SPDX-License-Identifier: Apache-2.0
//
// A port loaded by path: what a program that uses one through the port ABI holds first and gives up
// last.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_PORT_LIBRARY_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_PORT_LIBRARY_H_

#include <string>

#include "suites/culprit_port.h"

namespace culprit::reference {

class PortLibrary {
 public:
  PortLibrary() = default;
  ~PortLibrary();
  PortLibrary(const PortLibrary&) = delete;
  PortLibrary& operator=(const PortLibrary&) = delete;

  // False with the reason in `*problem`: not loadable, no entry, another ABI, a table too small.
  bool Open(const std::string& path, std::string* problem);

  const culprit_port& port() const { return *port_; }

 private:
  void* library_ = nullptr;
  const culprit_port* port_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_PORT_LIBRARY_H_
