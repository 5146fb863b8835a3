// SPDX-License-Identifier: Apache-2.0
//
// Writes the test clips: NAME_ref.yuv and NAME_dis.yuv, or .y4m with --y4m.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "reference_impl/clip/clip_generator.h"
#include "reference_impl/clip/y4m_header.h"

namespace {

using culprit::reference::ClipPicture;
using culprit::reference::ClipSpec;

class ClipFile {
 public:
  ClipFile(const std::filesystem::path& path, const ClipSpec& clip, bool y4m)
      : y4m_(y4m), bits_(clip.geometry.bits) {
    stream_.exceptions(std::ios::failbit | std::ios::badbit);
    stream_.open(path, std::ios::binary);
    if (y4m_) stream_ << culprit::reference::Y4mHeader(clip.geometry);
  }
  void Append(const ClipPicture& picture) {
    if (y4m_) stream_ << "FRAME\n";
    const std::vector<uint8_t> bytes = Pack(picture, bits_);
    stream_.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::ofstream stream_;
  bool y4m_;
  uint32_t bits_;
};

void Make(const ClipSpec& clip, const std::filesystem::path& folder, bool y4m) {
  const std::string extension = y4m ? ".y4m" : ".yuv";
  const std::string name(clip.name);
  ClipFile reference(folder / (name + "_ref" + extension), clip, y4m);
  ClipFile distorted(folder / (name + "_dis" + extension), clip, y4m);
  for (uint32_t frame = 0; frame < clip.frames; ++frame) {
    const ClipPicture picture = MakeReference(clip, frame);
    reference.Append(picture);
    distorted.Append(MakeDistorted(clip, picture, frame));
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes the project's test clips");
  std::filesystem::path folder;
  std::vector<std::string> names;
  bool y4m = false;
  app.add_option("folder", folder, "Where to write them")->required();
  app.add_option("names", names, "Which ones (default: all)");
  app.add_flag("--y4m", y4m, "YUV4MPEG2 instead of raw YUV");
  CLI11_PARSE(app, argc, argv);

  if (names.empty()) {
    for (const ClipSpec& clip : culprit::reference::AllClips()) names.emplace_back(clip.name);
  }
  try {
    std::filesystem::create_directories(folder);
    for (const std::string& name : names) {
      const ClipSpec* clip = culprit::reference::FindClip(name);
      if (clip == nullptr) {
        std::fprintf(stderr, "culprit-make-clips: no clip is called %s\n", name.c_str());
        return 1;
      }
      Make(*clip, folder, y4m);
    }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "culprit-make-clips: cannot write to %s: %s\n", folder.c_str(),
                 failure.what());
    return 1;
  }
  return 0;
}
