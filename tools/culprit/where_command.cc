// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/where_command.h"

#include <fmt/format.h>

#include "tools/culprit/exit_code.h"

namespace culprit::tools {

int RunWhere(const Installation& installation, bool json) {
  const bool complete = !installation.driver_folder.empty() && !installation.host.empty() &&
                        !installation.suites.empty();
  if (json) {
    fmt::print("{}\n", installation.ToJson().dump(2));
    return complete ? kFine : kCannotRun;
  }
  const struct {
    const char* what;
    const std::string& path;
  } places[] = {{"fake driver", installation.driver_folder},
                {"interposer", installation.interposer_folder},
                {"host", installation.host},
                {"suites", installation.suites},
                {"clips", installation.clips},
                {"golden scores", installation.golden},
                {"port header", installation.port_header},
                {"port template", installation.port_template},
                {"cmake package", installation.package},
                {"reference port", installation.reference_port}};
  for (const auto& place : places) {
    fmt::print("{:<15} {}\n", place.what, place.path.empty() ? "(missing)" : place.path);
  }
  for (const std::string& mutant : installation.mutants)
    fmt::print("{:<15} {}\n", "mutant", mutant);
  return complete ? kFine : kCannotRun;
}

}  // namespace culprit::tools
