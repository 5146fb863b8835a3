// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/clip_shelf.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::suites {

ClipChoice LargeEnough(ClipChoice choice, const PortLibrary& port, const Settings& settings) {
  constexpr uint32_t kLargeFrames = 2;
  const FrameSize chosen{choice.width, choice.height};
  for (const std::string& name : settings.extractors) {
    const FrameSize smallest = port.SmallestFrame(name);
    choice.width = std::max(choice.width, smallest.width);
    choice.height = std::max(choice.height, smallest.height);
  }
  // A sweep runs every case anew: larger pictures are fewer.
  const bool enlarged = !chosen.Holds({choice.width, choice.height});
  if (enlarged && choice.name.empty()) choice.frames = std::min(choice.frames, kLargeFrames);
  return choice;
}

ClipShelf::Found ClipShelf::Find(const ClipChoice& choice, uint32_t bits) {
  const std::string key = fmt::format("{}/{}x{}x{}/{}", choice.name, choice.width, choice.height,
                                      choice.frames, choice.name.empty() ? bits : 0);
  std::unique_ptr<Clip>& clip = clips_[key];
  if (choice.name.empty()) {
    if (clip == nullptr) {
      clip =
          std::make_unique<Clip>(Clip::Pattern(choice.width, choice.height, choice.frames, bits));
    }
    return {clip.get(), nullptr};
  }
  std::unique_ptr<Golden>& golden = golden_[choice.name];
  if (golden == nullptr) golden = std::make_unique<Golden>(ReadGolden(golden_folder_, choice.name));
  if (clip == nullptr) {
    ClipShape shape = golden->shape;
    shape.frames = std::min(shape.frames, choice.frames);
    clip = std::make_unique<Clip>(Clip::Read(clip_folder_, choice.name, shape));
  }
  return {clip.get(), golden.get()};
}

}  // namespace culprit::suites
