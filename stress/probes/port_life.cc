// SPDX-License-Identifier: Apache-2.0
#include "stress/probes/port_life.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

namespace culprit::stress {
namespace {

constexpr uint32_t kFrames = 4;
constexpr uint32_t kPictures = 8;
constexpr size_t kFewExtractors = 3;

// The interposer says that it is real, the fake that it is not; a vendor's driver says nothing.
bool IsFake(const Driver& driver) {
  return driver.control() != nullptr &&
         std::string_view(driver.control()->identity()).find("\"real\":false") !=
             std::string_view::npos;
}

}  // namespace

Outcome PortLife::Load(const std::string& path, const Driver& driver) {
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
  ChooseExtractors(IsFake(driver) ? kFewExtractors : SIZE_MAX);
  if (extractors_.empty()) return Outcome::Unsupported(path + " has no CUDA extractor");
  for (size_t plane = 0; plane < samples_.size(); ++plane) {
    samples_[plane].resize(width_ * height_ >> (plane == 0 ? 0 : 2));
  }
  return {};
}

// A session keeps one score of a name, so of extractors that write the same the first is taken.
void PortLife::ChooseExtractors(size_t most) {
  const bool tells_size = port_->size >= offsetof(culprit_port, smallest_frame) + sizeof(void*) &&
                          port_->smallest_frame != nullptr;
  std::set<std::string_view> taken;
  for (uint32_t i = 0; i < port_->extractor_count; ++i) {
    const culprit_extractor_info& extractor = port_->extractors[i];
    if (std::string_view(extractor.backend) != "cuda") continue;
    std::set<std::string_view> keys;
    for (const char* const* key = extractor.keys; key != nullptr && *key != nullptr; ++key) {
      keys.insert(*key);
    }
    const bool free = std::none_of(keys.begin(), keys.end(),
                                   [&](std::string_view key) { return taken.count(key) != 0; });
    if (!free || extractors_.size() == most) continue;
    taken.merge(keys);
    extractors_.push_back(extractor.name);
    if (!tells_size) continue;
    uint32_t width = 0;
    uint32_t height = 0;
    port_->smallest_frame(extractor.name, &width, &height);
    // Even, for planes of half the size.
    width_ = std::max(width_, (width + 1) & ~1u);
    height_ = std::max(height_, (height + 1) & ~1u);
  }
}

Outcome PortLife::Check(const char* function, int error) const {
  if (error == 0) return {};
  return Outcome::Failed(fmt::format("{} of the port returned {}: {} {}", function, error,
                                     status_.entry, status_.message));
}

culprit_status* PortLife::NewStatus() {
  status_ = {};
  status_.size = sizeof status_;
  return &status_;
}

Outcome PortLife::Run() {
  if (Outcome done = Open(); !done.ok()) return done;
  if (Outcome done = AddExtractors(); !done.ok()) return done;
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

Outcome PortLife::Open() {
  if (Outcome done = Check("state_init", port_->state_init(nullptr, &state_, NewStatus()));
      !done.ok()) {
    return done;
  }
  culprit_config config{};
  config.size = sizeof config;
  config.width = width_;
  config.height = height_;
  config.bits = 8;
  config.format = CULPRIT_PIXEL_420;
  return Check("open", port_->open(&config, &session_, NewStatus()));
}

Outcome PortLife::AddExtractors() {
  for (const char* extractor : extractors_) {
    const int error = port_->use_extractor(session_, extractor, nullptr, 0, NewStatus());
    if (Outcome done = Check("use_extractor", error); !done.ok()) return done;
  }
  return {};
}

Outcome PortLife::SubmitPair(uint32_t index) {
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
culprit_frame PortLife::Frame(size_t phase) {
  culprit_frame frame{};
  frame.size = sizeof frame;
  frame.width = width_;
  frame.height = height_;
  frame.bits = 8;
  frame.format = CULPRIT_PIXEL_420;
  frame.planes = 3;
  for (size_t plane = 0; plane < samples_.size(); ++plane) {
    const size_t width = width_ >> (plane == 0 ? 0 : 1);
    for (size_t i = 0; i < samples_[plane].size(); ++i) {
      samples_[plane][i] = static_cast<uint8_t>(i % width + 3 * (i / width) + 5 * phase);
    }
    frame.data[plane] = samples_[plane].data();
    frame.stride[plane] = width;
  }
  return frame;
}

Outcome PortLife::Close() {
  if (session_ != nullptr) {
    if (Outcome done = Check("close", port_->close(&session_, NewStatus())); !done.ok()) {
      return done;
    }
    session_ = nullptr;
  }
  if (state_ == nullptr) return {};
  if (Outcome done = Check("state_free", port_->state_free(&state_, NewStatus())); !done.ok()) {
    return done;
  }
  state_ = nullptr;
  return {};
}

}  // namespace culprit::stress
