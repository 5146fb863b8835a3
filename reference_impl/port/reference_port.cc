// SPDX-License-Identifier: Apache-2.0
//
// The reference behind the port ABI. Translation only: every rule is the framework's.
#include <cerrno>
#include <memory>
#include <vector>

#include "reference_impl/extractor/registry.h"
#include "reference_impl/framework/session.h"
#include "reference_impl/port/port_status.h"
#include "reference_impl/port/ports.h"

using culprit::reference::AllExtractors;
using culprit::reference::DeviceState;
using culprit::reference::ExtractorDescriptor;
using culprit::reference::ExtractorFailure;
using culprit::reference::FetchedPicture;
using culprit::reference::FrameView;
using culprit::reference::Geometry;
using culprit::reference::Options;
using culprit::reference::PixelFormat;
using culprit::reference::Report;
using culprit::reference::Session;
using culprit::reference::State;
using culprit::reference::Status;

struct culprit_state : State {
  using State::State;
};
struct culprit_session : Session {
  using Session::Session;
};

// A culprit_picture is the address of a FetchedPicture that the session owns.
namespace {

Status InvalidArgument(const char* what) { return ExtractorFailure(-EINVAL, what); }

// Planes and strides as the geometry demands them.
Status ViewOf(const culprit_frame* frame, FrameView* view) {
  if (frame == nullptr || frame->size < sizeof(culprit_frame)) return InvalidArgument("no frame");
  view->geometry = {frame->width, frame->height, frame->bits,
                    static_cast<PixelFormat>(frame->format)};
  Status valid = culprit::reference::CheckGeometry(view->geometry);
  if (!valid.ok()) return valid;
  if (frame->planes < view->geometry.planes()) return InvalidArgument("planes are missing");
  for (uint32_t plane = 0; plane < view->geometry.planes(); ++plane) {
    if (frame->data[plane] == nullptr || frame->stride[plane] < view->geometry.row_bytes(plane)) {
      return InvalidArgument("a plane has no data or too short a stride");
    }
    view->data[plane] = static_cast<const uint8_t*>(frame->data[plane]);
    view->stride[plane] = frame->stride[plane];
  }
  return Status();
}

int StateInit(void* context, culprit_state** state, culprit_status* status) {
  std::shared_ptr<DeviceState> device;
  Status created = DeviceState::Create(static_cast<CUcontext>(context), &device);
  if (created.ok()) *state = new culprit_state(std::move(device));
  return Report(created, status);
}

int StateFree(culprit_state** state, culprit_status* status) {
  if (*state == nullptr) return Report(Status(), status);
  Status freed = (*state)->Free();
  if (freed.ok()) {
    delete *state;
    *state = nullptr;
  }
  return Report(freed, status);
}

int Open(const culprit_config* config, culprit_session** session, culprit_status* status) {
  constexpr uint32_t kMostThreads = 256;
  if (config == nullptr || config->size < sizeof(culprit_config) ||
      config->threads > kMostThreads) {
    return Report(InvalidArgument("no configuration, or more than 256 threads"), status);
  }
  const Geometry geometry{config->width, config->height, config->bits,
                          static_cast<PixelFormat>(config->format)};
  Status valid = culprit::reference::CheckGeometry(geometry);
  if (valid.ok()) *session = new culprit_session(geometry, config->threads);
  return Report(valid, status);
}

int UseExtractor(culprit_session* session, const char* name, const culprit_option* options,
                 uint32_t option_count, culprit_status* status) {
  Options read;
  for (uint32_t i = 0; i < option_count; ++i) read[options[i].key] = options[i].value;
  return Report(session->UseExtractor(name, std::move(read)), status);
}

int ImportState(culprit_session* session, culprit_state* state, culprit_status* status) {
  return Report(session->ImportState(*state), status);
}

int Preallocate(culprit_session* session, uint32_t count, culprit_status* status) {
  return Report(session->Preallocate(count), status);
}

int Fetch(culprit_session* session, const culprit_frame* frame, culprit_picture** picture,
          culprit_status* status) {
  FrameView view;
  Status valid = ViewOf(frame, &view);
  if (!valid.ok()) return Report(valid, status);
  FetchedPicture* fetched = nullptr;
  Status done = session->Fetch(view, &fetched);
  if (done.ok()) *picture = reinterpret_cast<culprit_picture*>(fetched);
  return Report(done, status);
}

int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame* distorted,
           uint32_t index, culprit_status* status) {
  FrameView reference_view;
  Status first = ViewOf(reference, &reference_view);
  if (!first.ok()) return Report(first, status);
  FrameView distorted_view;
  Status second = ViewOf(distorted, &distorted_view);
  if (!second.ok()) return Report(second, status);
  return Report(session->Submit(reference_view, distorted_view, index), status);
}

int SubmitPictures(culprit_session* session, culprit_picture* reference, culprit_picture* distorted,
                   uint32_t index, culprit_status* status) {
  return Report(session->SubmitPictures(reinterpret_cast<FetchedPicture*>(reference),
                                        reinterpret_cast<FetchedPicture*>(distorted), index),
                status);
}

int Flush(culprit_session* session, culprit_status* status) {
  return Report(session->Flush(), status);
}

const char* ScoreKey(culprit_session* session, uint32_t i) { return session->collector().KeyAt(i); }

int Score(culprit_session* session, const char* key, uint32_t index, double* value,
          culprit_status* status) {
  return Report(session->collector().Get(key, index, value), status);
}

int Close(culprit_session** session, culprit_status* status) {
  if (*session == nullptr) return Report(Status(), status);
  Status closed = (*session)->Close();
  if (closed.ok()) {
    delete *session;
    *session = nullptr;
  }
  return Report(closed, status);
}

void SmallestFrame(const char* extractor, uint32_t* width, uint32_t* height) {
  const ExtractorDescriptor* descriptor = culprit::reference::FindExtractor(extractor);
  if (descriptor == nullptr) return;
  *width = descriptor->smallest.width;
  *height = descriptor->smallest.height;
}

constexpr culprit_lifetime kLifetimes[] = {
    {"best_effort_rollback", "state_init",
     "a state that was never handed out has no owner who could retry its release"},
};

std::vector<culprit_extractor_info> ExtractorInfos() {
  std::vector<culprit_extractor_info> infos;
  for (const ExtractorDescriptor& descriptor : AllExtractors()) {
    infos.push_back({descriptor.name, NameOf(descriptor.backend), descriptor.keys});
  }
  return infos;
}

culprit_port MakePort() {
  static const std::vector<culprit_extractor_info> extractors = ExtractorInfos();
  culprit_port port{};
  port.size = sizeof port;
  port.abi = CULPRIT_PORT_ABI;
  port.name = culprit::reference::kPortName;
  port.version = culprit::reference::kPortVersion;
  port.abilities = CULPRIT_CAN_THREADS | CULPRIT_CAN_PREALLOCATE | CULPRIT_CAN_RETRY_CLOSE |
                   CULPRIT_CAN_FOREIGN_CONTEXT;
  port.extractors = extractors.data();
  port.extractor_count = static_cast<uint32_t>(extractors.size());
  port.lifetimes = kLifetimes;
  port.lifetime_count = std::size(kLifetimes);
  port.state_init = &StateInit;
  port.open = &Open;
  port.use_extractor = &UseExtractor;
  port.import_state = &ImportState;
  port.preallocate = &Preallocate;
  port.fetch = &Fetch;
  port.submit = &Submit;
  port.submit_pictures = &SubmitPictures;
  port.flush = &Flush;
  port.score_key = &ScoreKey;
  port.score = &Score;
  port.close = &Close;
  port.state_free = &StateFree;
  port.smallest_frame = &SmallestFrame;
  return port;
}

}  // namespace

const culprit_port& culprit::reference::ReferencePort() {
  static const culprit_port port = MakePort();
  return port;
}
