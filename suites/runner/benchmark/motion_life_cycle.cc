// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/benchmark/motion_life_cycle.h"

#include <dlfcn.h>

#include <cstdint>
#include <vector>

namespace culprit::suites {
namespace {

constexpr uint32_t kSide = 32;
constexpr uint32_t kFrames = 4;

culprit_frame FrameOf(const std::vector<uint8_t>& luma, const std::vector<uint8_t>& chroma) {
  culprit_frame frame{};
  frame.size = sizeof(frame);
  frame.width = frame.height = kSide;
  frame.bits = 8;
  frame.format = CULPRIT_PIXEL_420;
  frame.planes = 3;
  frame.data[0] = luma.data();
  frame.data[1] = frame.data[2] = chroma.data();
  frame.stride[0] = kSide;
  frame.stride[1] = frame.stride[2] = kSide / 2;
  return frame;
}

}  // namespace

const culprit_port* LoadPort(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto entry = reinterpret_cast<culprit_port_entry_fn>(dlsym(library, CULPRIT_PORT_ENTRY));
  return entry == nullptr ? nullptr : entry();
}

int RunMotionLifeCycle(const culprit_port& port) {
  int failures = 0;
  culprit_status status{};
  status.size = sizeof(status);
  const auto ok = [&](int result) {
    failures += result != 0 ? 1 : 0;
    return result == 0;
  };
  culprit_state* state = nullptr;
  culprit_session* session = nullptr;
  const culprit_config config{sizeof(config), kSide, kSide, 8, CULPRIT_PIXEL_420, 0};
  bool going = ok(port.state_init(nullptr, &state, &status)) &&
               ok(port.open(&config, &session, &status)) &&
               ok(port.use_extractor(session, "motion", nullptr, 0, &status)) &&
               ok(port.import_state(session, state, &status));
  std::vector<uint8_t> luma(kSide * kSide);
  const std::vector<uint8_t> chroma(kSide * kSide / 4, 128);
  for (uint32_t frame = 0; going && frame < kFrames; ++frame) {
    for (size_t i = 0; i < luma.size(); ++i) luma[i] = static_cast<uint8_t>(i * (frame + 3));
    const culprit_frame picture = FrameOf(luma, chroma);
    going = ok(port.submit(session, &picture, &picture, frame, &status));
  }
  if (going) ok(port.flush(session, &status));
  for (int attempt = 0; session != nullptr && attempt < 2; ++attempt) {
    ok(port.close(&session, &status));
  }
  for (int attempt = 0; state != nullptr && attempt < 2; ++attempt) {
    ok(port.state_free(&state, &status));
  }
  return failures;
}

}  // namespace culprit::suites
