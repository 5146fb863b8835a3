// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/installation.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

// Empty for an empty path.
std::string FolderOf(const std::string& file) { return fs::path(file).parent_path().string(); }

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
  found.driver_folder = FolderOf(
      FirstExisting({bin / "../fakedriver/lib/libcuda.so.1", library / "fakedriver/libcuda.so.1"}));
  found.interposer_folder = FolderOf(
      FirstExisting({bin / "../interposer/lib/libcuda.so.1", library / "interposer/libcuda.so.1"}));
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
          {"interposer_folder", interposer_folder},
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

const std::string& Installation::DriverFolder(bool real) const {
  const std::string& folder = real ? interposer_folder : driver_folder;
  if (folder.empty()) {
    throw std::runtime_error(real ? "the interposer is not installed"
                                  : "the fake driver is not installed");
  }
  return folder;
}

std::vector<std::string> Installation::SuiteFiles() const { return FilesIn(suites, ".yaml"); }

}  // namespace culprit::tools
