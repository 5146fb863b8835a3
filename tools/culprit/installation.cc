// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/installation.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

std::string FirstExisting(std::initializer_list<fs::path> candidates) {
  std::error_code error;
  for (const fs::path& candidate : candidates) {
    const fs::path found = fs::canonical(candidate, error);
    if (!error) return found.string();
  }
  return {};
}

std::vector<std::string> FilesIn(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Installation Installation::Find() {
  Installation found;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path bin = program.parent_path();
  const fs::path library = bin / "../lib/culprit";
  found.program = program.string();
  found.version = CULPRIT_VERSION;
  const std::string driver =
      FirstExisting({bin / "../fakedriver/lib/libcuda.so.1", library / "fakedriver/libcuda.so.1"});
  // The folder, not the file behind the symbolic link: it goes into a library path.
  if (!driver.empty()) found.driver_folder = fs::path(driver).parent_path().string();
  found.host = FirstExisting({bin / "culprit-host", library / "culprit-host"});
  found.suites = FirstExisting({library / "suites"});
  found.clips = FirstExisting({library / "clips"});
  found.golden = FirstExisting({library / "golden"});
  found.port_header = FirstExisting(
      {library / "include/culprit_port.h", bin / "../include/culprit/culprit_port.h"});
  if (!found.port_header.empty()) {
    found.port_header = fs::path(found.port_header).parent_path().string();
  }
  found.port_template = FirstExisting({library / "port_template"});
  found.package = FirstExisting({bin / "../lib/cmake/culprit"});
  found.reference_port = FirstExisting({library / "ports/libculprit_reference.so"});
  found.mutants = FilesIn(library / "ports/mutants", ".so");
  return found;
}

nlohmann::json Installation::ToJson() const {
  return {{"program", program},
          {"version", version},
          {"driver_folder", driver_folder},
          {"host", host},
          {"suites", suites},
          {"clips", clips},
          {"golden", golden},
          {"port_header", port_header},
          {"port_template", port_template},
          {"cmake_package", package},
          {"reference_port", reference_port},
          {"mutants", mutants}};
}

std::vector<std::string> Installation::SuiteFiles() const { return FilesIn(suites, ".yaml"); }

}  // namespace culprit::tools
