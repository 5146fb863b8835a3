// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_CLIP_SHELF_H_
#define SUITES_RUNNER_CLIP_SHELF_H_

#include <map>
#include <memory>
#include <string>

#include "suites/runner/clip.h"
#include "suites/runner/golden.h"
#include "suites/runner/port_library.h"
#include "suites/runner/settings.h"
#include "suites/runner/suite.h"

namespace culprit::suites {

// The clips of a certification and the scores known of them, each made or read once.
class ClipShelf {
 public:
  // `clips`: folder of clip files; `golden`: folder of golden scores.
  ClipShelf(std::string clips, std::string golden)
      : clip_folder_(std::move(clips)), golden_folder_(std::move(golden)) {}

  struct Found {
    const Clip* clip = nullptr;
    const Golden* golden = nullptr;  // none for a pattern
  };
  // Throws std::runtime_error that names the file.
  Found Find(const ClipChoice& choice, uint32_t bits);

 private:
  std::string clip_folder_;
  std::string golden_folder_;
  std::map<std::string, std::unique_ptr<Clip>> clips_;
  std::map<std::string, std::unique_ptr<Golden>> golden_;
};

// `choice`, enlarged where an extractor of the settings accepts no picture as small.
ClipChoice LargeEnough(ClipChoice choice, const PortLibrary& port, const Settings& settings);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CLIP_SHELF_H_
