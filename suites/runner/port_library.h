// SPDX-License-Identifier: Apache-2.0
//
// A port as loaded: its table, checked, and its identity, taken from what was really mapped and not
// from what was asked for, so that a stale library cannot pass for another.
#ifndef SUITES_RUNNER_PORT_LIBRARY_H_
#define SUITES_RUNNER_PORT_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/culprit_port.h"

namespace culprit::suites {

// A field of the table, or NULL when the port's table is too short for it.
#define CULPRIT_PORT_FUNCTION(port, field) \
  ((port).size >= offsetof(culprit_port, field) + sizeof((port).field) ? (port).field : nullptr)

struct FrameSize {
  uint32_t width = 1;
  uint32_t height = 1;

  bool Holds(const FrameSize& other) const {
    return width >= other.width && height >= other.height;
  }
};

// Throws InputError when the path is no regular file: the loader would wait for a pipe.
void DemandPortFile(const std::string& path);

class PortLibrary {
 public:
  // Throws InputError that says what is wrong with the library. It stays loaded for good.
  static PortLibrary Load(const std::string& path);

  const culprit_port& port() const { return *port_; }
  const std::string& path() const { return path_; }
  const std::string& build_id() const { return build_id_; }

  bool Can(uint32_t ability) const { return (port_->abilities & ability) != 0; }
  bool Has(const std::string& ability) const;  // by name: "threads"
  bool HasOperation(const std::string& operation) const;
  const culprit_extractor_info* FindExtractor(const std::string& name) const;
  // The smallest frame that suits an extractor; 1x1 for a port that does not say.
  FrameSize SmallestFrame(const std::string& extractor) const;
  // Extractors whose back end is a GPU's: everything but "cpu".
  std::vector<std::string> GpuExtractors() const;
  // As many of them as can share a session on frames of that size, up to `most`: each key is
  // written by one only, the first that has it.
  std::vector<std::string> GpuExtractorsTogether(FrameSize frame, size_t most = SIZE_MAX) const;
  // Whether the port declares this lifetime for this place; for any place when `where` is empty.
  bool Declares(const std::string& kind, const std::string& where) const;

  nlohmann::json Identity() const;

 private:
  const culprit_port* port_ = nullptr;
  std::string path_;
  std::string build_id_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_PORT_LIBRARY_H_
