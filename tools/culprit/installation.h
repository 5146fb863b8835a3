// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_INSTALLATION_H_
#define TOOLS_CULPRIT_INSTALLATION_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::tools {

// Where everything is, found from the path of the running program: in a build tree or under an
// installation prefix. A path is empty when nothing is there.
struct Installation {
  std::string program;
  std::string version;
  std::string driver_folder;      // holds the fake libcuda.so.1
  std::string interposer_folder;  // holds the libcuda.so.1 in front of a vendor's
  std::string host;               // culprit-host
  std::string suites;
  std::string clips;
  std::string golden;
  std::string port_header;  // folder to include from
  std::string port_template;
  std::string package;  // folder of the CMake package
  std::string reference_port;
  std::vector<std::string> mutants;

  static Installation Find();
  nlohmann::json ToJson() const;

  // What goes into a library path for the fake, or for a vendor's driver. Throws std::runtime_error
  // when it is not installed.
  const std::string& DriverFolder(bool real) const;

  // The suite files, sorted by name.
  std::vector<std::string> SuiteFiles() const;
};

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_INSTALLATION_H_
