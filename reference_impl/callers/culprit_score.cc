// SPDX-License-Identifier: Apache-2.0
//
// Scores a clip with a port's extractors and prints the scores of every frame as JSON.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>

#include "reference_impl/callers/model_features.h"
#include "reference_impl/callers/port_library.h"
#include "reference_impl/callers/score_report.h"
#include "reference_impl/callers/score_run.h"
#include "reference_impl/clip/clip_reader.h"
#include "reference_impl/extractor/registry.h"

namespace {

using culprit::reference::ClipReader;
using culprit::reference::FirstFailure;
using culprit::reference::FrameView;
using culprit::reference::PixelFormat;
using culprit::reference::PortLibrary;
using culprit::reference::RunScore;
using culprit::reference::ScoreModel;
using culprit::reference::ScoreRequest;
using culprit::reference::Scores;
using culprit::reference::Status;

struct Arguments {
  std::string port;
  std::string reference;
  std::string distorted;
  std::vector<std::string> options;
  std::string output;
  std::string model;
  uint32_t repeat = 1;
  ScoreRequest request;
};

bool IsY4m(const std::string& path) { return std::filesystem::path(path).extension() == ".y4m"; }

int Complain(const std::string& what) {
  std::cerr << "culprit-score: " << what << "\n";
  return 1;
}

Status Open(const std::string& path, const culprit::reference::Geometry& geometry,
            ClipReader* reader) {
  return IsY4m(path) ? reader->OpenY4m(path) : reader->OpenRaw(path, geometry);
}

// The extractors of the reference; another port may have others.
std::string Names() {
  std::string names;
  for (const auto& extractor : culprit::reference::AllExtractors()) {
    names += (names.empty() ? "" : ", ") + std::string(extractor.name);
  }
  return names;
}

// The default port lies beside the program's folder, as built and as installed.
std::string DefaultPort() {
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return bin.parent_path() / "lib/culprit/ports/libculprit_reference.so";
}

// One life cycle over the whole clip.
int Score(const Arguments& arguments, const culprit_port& port, Scores* scores) {
  ScoreRequest request = arguments.request;
  ClipReader reference;
  ClipReader distorted;
  for (const auto& [path, reader] :
       {std::pair(&arguments.reference, &reference), std::pair(&arguments.distorted, &distorted)}) {
    Status opened = Open(*path, request.geometry, reader);
    if (!opened.ok()) return Complain(opened.error().message);
  }
  request.geometry = reference.geometry();
  const auto source = [&](FrameView* first, FrameView* second, bool* end) {
    Status read = reference.Next(first, end);
    if (!read.ok() || *end) return read;
    return distorted.Next(second, end);
  };
  const FirstFailure failure = RunScore(port, request, source, scores);
  return failure.failed() ? Complain(failure.Text()) : 0;
}

// Clips, extractors and options, and the scores of the last life cycle. Throws what a model's file
// or its features are blamed for.
int Run(Arguments arguments, Scores* scores) {
  PortLibrary library;
  std::string problem;
  if (!library.Open(arguments.port, &problem)) return Complain(problem);
  std::optional<ScoreModel> model;
  if (!arguments.model.empty()) {
    model = ScoreModel::Read(arguments.model);
    AddExtractorsFor(*model, library.port(), &arguments.request.extractors);
  }
  if (arguments.request.extractors.empty()) return Complain("no extractor and no model was named");
  for (uint32_t cycle = 0; cycle < arguments.repeat; ++cycle) {
    scores->clear();
    const int failed = Score(arguments, library.port(), scores);
    if (failed != 0) return failed;
  }
  if (model) (*scores)["vmaf"] = model->Score(*scores);
  return 0;
}

int Write(const std::string& text, const std::string& path) {
  if (path.empty()) {
    std::cout << text;
    return 0;
  }
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return Complain("cannot write " + path);
  const bool written = std::fputs(text.c_str(), file) >= 0;
  if (std::fclose(file) != 0 || !written) return Complain("cannot write " + path);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  ScoreRequest& request = arguments.request;
  CLI::App app("Scores a clip with the extractors of a port");
  app.footer(
      "Examples:\n  culprit-score -e motion -r ref.y4m -d dis.y4m\n"
      "  culprit-score -m vmaf_v0.6.1.json -r ref.y4m -d dis.y4m\n"
      "  culprit-score -e motion -e psnr --threads 4 -r ref.yuv -d dis.yuv -W 176 -H 144 --bits "
      "10");
  arguments.port = DefaultPort();
  app.add_option("--port", arguments.port, "The port's library")->capture_default_str();
  app.add_option("-r,--reference", arguments.reference, "Reference clip, .y4m or raw YUV")
      ->required();
  app.add_option("-d,--distorted", arguments.distorted, "Distorted clip")->required();
  app.add_option("-e,--extractor", request.extractors, "Extractor; may be repeated: " + Names());
  app.add_option("-m,--model", arguments.model,
                 "Model in VMAF's JSON format: adds the score vmaf, and the extractors it needs");
  app.add_option("-o,--option", arguments.options,
                 "key=value, given to every extractor; may be repeated");
  app.add_option("-W,--width", request.geometry.width, "Width of a raw clip");
  app.add_option("-H,--height", request.geometry.height, "Height of a raw clip");
  app.add_option("--bits", request.geometry.bits, "Bits per sample of a raw clip")
      ->capture_default_str();
  const std::map<std::string, PixelFormat> formats = {{"420", PixelFormat::k420},
                                                      {"422", PixelFormat::k422},
                                                      {"444", PixelFormat::k444},
                                                      {"400", PixelFormat::k400}};
  app.add_option("--format", request.geometry.format,
                 "Pixel format of a raw clip: 420, 422, 444, 400")
      ->transform(CLI::CheckedTransformer(formats));
  app.add_option("--threads", request.threads, "Worker threads; 0: serial")->capture_default_str();
  app.add_option("--preallocate", request.preallocate,
                 "Pictures of the ring; 0: submit host frames");
  app.add_flag("!--no-device", request.device, "Make no device state");
  app.add_option("--repeat", arguments.repeat, "Life cycles; the scores of the last are printed");
  app.add_option("--json", arguments.output,
                 "Write the scores to this file instead of standard output");
  CLI11_PARSE(app, argc, argv);

  for (const std::string& option : arguments.options) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos) return Complain("an option is key=value, not " + option);
    request.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  try {
    Scores scores;
    const int failed = Run(arguments, &scores);
    return failed != 0 ? failed : Write(culprit::reference::ScoreReport(scores), arguments.output);
  } catch (const std::runtime_error& error) {
    return Complain(error.what());
  }
}
