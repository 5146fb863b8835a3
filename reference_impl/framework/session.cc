// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/session.h"

#include <algorithm>
#include <cerrno>

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

constexpr char kPlacementOption[] = "placement";

// The framework's own option: where a threaded session keeps the extractor.
Status TakePlacement(Options* options, const ExtractorDescriptor& descriptor,
                     Placement* placement) {
  *placement = descriptor.placement;
  const auto option = options->find(kPlacementOption);
  if (option == options->end()) return Status();
  static const std::map<std::string, Placement> kNames = {{"registered", Placement::kRegistered},
                                                          {"pool", Placement::kContextPool},
                                                          {"worker", Placement::kWorkerPrivate}};
  const auto named = kNames.find(option->second);
  if (named == kNames.end()) {
    return ExtractorFailure(-EINVAL, "placement is registered, pool or worker");
  }
  if (descriptor.temporal && named->second != Placement::kRegistered) {
    return ExtractorFailure(-EINVAL, std::string(descriptor.name) + " needs its frames in order");
  }
  *placement = named->second;
  options->erase(option);
  return Status();
}

}  // namespace

FramePair Session::Submission::pair() const {
  FramePair pair;
  pair.index = index;
  if (reference != nullptr) pair.reference = &reference->view();
  if (distorted != nullptr) pair.distorted = &distorted->view();
  if (reference_lease != nullptr) pair.reference_picture = &reference_lease->picture();
  if (distorted_lease != nullptr) pair.distorted_picture = &distorted_lease->picture();
  return pair;
}

Session::Session(const Geometry& geometry, uint32_t threads)
    : geometry_(geometry), workers_(threads) {
  if (threads > 0) threads_ = std::make_unique<ThreadPool>(threads);
}

Status Session::UseExtractor(std::string_view name, Options options) {
  if (started_) return ExtractorFailure(-EINVAL, "extractors are added before the first frame");
  const ExtractorDescriptor* descriptor = FindExtractor(name);
  if (descriptor == nullptr) {
    return ExtractorFailure(-ENOENT, "no extractor is called " + std::string(name));
  }
  Placement placement = Placement::kRegistered;
  Status placed = TakePlacement(&options, *descriptor, &placement);
  if (!placed.ok()) return placed;
  if (threads_ == nullptr) placement = Placement::kRegistered;
  switch (placement) {
    case Placement::kRegistered:
      registered_.Add(std::make_unique<ExtractorContext>(*descriptor, std::move(options)));
      break;
    case Placement::kContextPool:
      pools_.push_back(std::make_unique<ContextPool>(*descriptor, options, threads_->workers()));
      break;
    case Placement::kWorkerPrivate:
      workers_.Add(*descriptor, options);
      break;
  }
  return Status();
}

Status Session::ImportState(State& state) {
  if (device_ != nullptr) return ExtractorFailure(-EINVAL, "the session has a state already");
  return state.Import(&device_);
}

Status Session::Preallocate(uint32_t count) {
  if (device_ == nullptr) return ExtractorFailure(-EINVAL, "no device state was imported");
  if (ring_ != nullptr) return ExtractorFailure(-EINVAL, "the ring exists already");
  if (count == 0) return ExtractorFailure(-EINVAL, "a ring has at least one picture");
  return InContext(*device_->context(), [&] { return OpenRing(count); });
}

Status Session::OpenRing(uint32_t count) {
  auto ring = std::make_unique<RingPool>();
  Status opened = ring->Open(device_->context(), geometry_, count);
  if (opened.ok()) {
    ring_ = std::move(ring);
  } else if (!ring->closed()) {
    failed_rings_.push_back(std::move(ring));
  }
  return opened;
}

Status Session::Fetch(const FrameView& frame, FetchedPicture** picture) {
  Status usable = CheckUsable();
  if (!usable.ok()) return usable;
  if (ring_ == nullptr) return ExtractorFailure(-EINVAL, "no pictures were preallocated");
  auto fetched = std::make_unique<FetchedPicture>();
  Status uploaded =
      InContext(*device_->context(), [&] { return ring_->Fetch(frame, &fetched->lease); });
  if (!uploaded.ok()) return uploaded;
  if (UsesHost()) fetched->host = std::make_shared<HostFrame>(frame);
  *picture = fetched.get();
  fetched_.push_back(std::move(fetched));
  return Status();
}

std::unique_ptr<FetchedPicture> Session::TakeBack(FetchedPicture* picture) {
  const auto held = std::find_if(fetched_.begin(), fetched_.end(),
                                 [&](const auto& candidate) { return candidate.get() == picture; });
  if (held == fetched_.end()) return nullptr;
  std::unique_ptr<FetchedPicture> taken = std::move(*held);
  fetched_.erase(held);
  taken->lease->MarkSubmitted();
  return taken;
}

ExtractorSetup Session::setup() const {
  return {geometry_, device_ != nullptr ? device_->context() : nullptr};
}

bool Session::UsesHost() const {
  const auto on_host = [](const ExtractorDescriptor& descriptor) {
    return descriptor.backend != Backend::kCuda;
  };
  const auto& contexts = registered_.contexts();
  return std::any_of(contexts.begin(), contexts.end(),
                     [&](const auto& context) { return on_host(context->descriptor()); }) ||
         std::any_of(pools_.begin(), pools_.end(),
                     [&](const auto& pool) { return on_host(pool->descriptor()); }) ||
         workers_.AnyOf(on_host);
}

bool Session::UsesDevice() const {
  const auto on_device = [](const ExtractorDescriptor& descriptor) {
    return descriptor.backend == Backend::kCuda;
  };
  const auto& contexts = registered_.contexts();
  return std::any_of(contexts.begin(), contexts.end(),
                     [](const auto& context) { return context->lifecycle() != nullptr; }) ||
         std::any_of(pools_.begin(), pools_.end(),
                     [&](const auto& pool) { return on_device(pool->descriptor()); }) ||
         workers_.AnyOf(on_device);
}

Status Session::CheckUsable() const {
  if (!failure_.ok()) return failure_;
  if (flushed_) return ExtractorFailure(-EINVAL, "the session has been flushed");
  return Status();
}

Status Session::Fail(Status status) {
  if (failure_.ok()) failure_ = status;
  return status;
}

}  // namespace culprit::reference
