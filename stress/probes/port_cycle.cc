// SPDX-License-Identifier: Apache-2.0
// The life cycle of a port behind the port ABI, with pictures preallocated on the device: device
// state, session, every CUDA extractor, a few frames, flush, close, state free. Repeating it is how
// users meet a library whose memory climbs. The control drops the session and its state on the
// floor.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "stress/probes/probes.h"
#include "suites/culprit_port.h"

namespace culprit::stress {
namespace {

constexpr uint32_t kWidth = 176;
constexpr uint32_t kHeight = 144;
constexpr uint32_t kFrames = 4;
constexpr uint32_t kPictures = 8;

class PortCycle final : public Workload {
 public:
  explicit PortCycle(Session& session) : Workload(session) {
    AddPair(
        "state_init to flush", [this] { return OpenAndRun(); }, "close and state_free",
        [this] { return Close(); });
  }

  Outcome Setup() override {
    const std::string& path = session().port();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* reason = dlerror();
      return Outcome::Unsupported(fmt::format("no port to run, name one with --port: {}", reason));
    }
    const auto entry = reinterpret_cast<culprit_port_entry_fn>(dlsym(library, CULPRIT_PORT_ENTRY));
    if (entry == nullptr) return Outcome::Unsupported(path + " exports no " CULPRIT_PORT_ENTRY);
    port_ = entry();
    if (port_ == nullptr || port_->abi != CULPRIT_PORT_ABI) {
      return Outcome::Unsupported(path + " implements another version of the port ABI");
    }
    if ((port_->abilities & CULPRIT_CAN_PREALLOCATE) == 0) {
      return Outcome::Unsupported(path + " cannot preallocate pictures");
    }
    for (size_t plane = 0; plane < samples_.size(); ++plane) {
      samples_[plane].resize(kWidth * kHeight >> (plane == 0 ? 0 : 2));
    }
    return {};
  }

 private:
  Outcome Check(const char* function, int error) const {
    if (error == 0) return {};
    return Outcome::Failed(fmt::format("{} of the port returned {}: {} {}", function, error,
                                       status_.entry, status_.message));
  }

  culprit_status* NewStatus() {
    status_ = {};
    status_.size = sizeof status_;
    return &status_;
  }

  Outcome OpenAndRun() {
    if (Outcome done = Check("state_init", port_->state_init(nullptr, &state_, NewStatus()));
        !done.ok()) {
      return done;
    }
    culprit_config config{};
    config.size = sizeof config;
    config.width = kWidth;
    config.height = kHeight;
    config.bits = 8;
    config.format = CULPRIT_PIXEL_420;
    if (Outcome done = Check("open", port_->open(&config, &session_, NewStatus())); !done.ok()) {
      return done;
    }
    for (uint32_t i = 0; i < port_->extractor_count; ++i) {
      const culprit_extractor_info& extractor = port_->extractors[i];
      if (std::string_view(extractor.backend) != "cuda") continue;
      if (Outcome done = Check("use_extractor", port_->use_extractor(session_, extractor.name,
                                                                     nullptr, 0, NewStatus()));
          !done.ok()) {
        return done;
      }
    }
    if (Outcome done = Check("import_state", port_->import_state(session_, state_, NewStatus()));
        !done.ok()) {
      return done;
    }
    if (Outcome done = Check("preallocate", port_->preallocate(session_, kPictures, NewStatus()));
        !done.ok()) {
      return done;
    }
    for (uint32_t index = 0; index < kFrames; ++index) {
      if (Outcome done = SubmitPair(index); !done.ok()) return done;
    }
    return Check("flush", port_->flush(session_, NewStatus()));
  }

  Outcome SubmitPair(uint32_t index) {
    std::array<culprit_picture*, 2> pictures{};
    for (culprit_picture*& picture : pictures) {
      const culprit_frame frame = Frame(index + (&picture - pictures.data()));
      if (Outcome done = Check("fetch", port_->fetch(session_, &frame, &picture, NewStatus()));
          !done.ok()) {
        return done;
      }
    }
    return Check("submit_pictures",
                 port_->submit_pictures(session_, pictures[0], pictures[1], index, NewStatus()));
  }

  // A slanted pattern that moves with `phase`.
  culprit_frame Frame(size_t phase) {
    culprit_frame frame{};
    frame.size = sizeof frame;
    frame.width = kWidth;
    frame.height = kHeight;
    frame.bits = 8;
    frame.format = CULPRIT_PIXEL_420;
    frame.planes = 3;
    for (size_t plane = 0; plane < samples_.size(); ++plane) {
      const size_t width = kWidth >> (plane == 0 ? 0 : 1);
      for (size_t i = 0; i < samples_[plane].size(); ++i) {
        samples_[plane][i] = static_cast<uint8_t>(i % width + 3 * (i / width) + 5 * phase);
      }
      frame.data[plane] = samples_[plane].data();
      frame.stride[plane] = width;
    }
    return frame;
  }

  Outcome Close() {
    if (Outcome done = Check("close", port_->close(&session_, NewStatus())); !done.ok()) {
      return done;
    }
    return Check("state_free", port_->state_free(&state_, NewStatus()));
  }

  const culprit_port* port_ = nullptr;
  culprit_state* state_ = nullptr;
  culprit_session* session_ = nullptr;
  culprit_status status_{};
  std::array<std::vector<uint8_t>, 3> samples_;
};

}  // namespace

const ProbeInfo kPortCycle{
    .name = "port_cycle",
    .summary = "the life cycle of a port with preallocated pictures (--port)",
    .object = "one session and its state",
    .cycles = 2000,
    .control_cycles = 200,
    .make = MakeWorkload<PortCycle>,
};

}  // namespace culprit::stress
