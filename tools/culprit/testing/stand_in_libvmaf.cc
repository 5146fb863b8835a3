// SPDX-License-Identifier: Apache-2.0
//
// What the adaptor port of libvmaf is tested with where there is no libvmaf with CUDA: the same C
// API, and the reference behind it. It stands for libvmaf's calls and their order, not for what
// libvmaf does on the device.
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "docs/examples/libvmaf_port/libvmaf.h"
#include "reference_impl/port/ports.h"

const char* const culprit::reference::kPortName = "stand-in";
const char* const culprit::reference::kPortVersion = "1";

namespace {

const culprit_port& Subject() { return culprit::reference::ReferencePort(); }
culprit_state* StateOf(VmafCudaState* state) { return reinterpret_cast<culprit_state*>(state); }

// A feature of libvmaf and the reference's extractor.
struct Feature {
  const char* name;
  const char* extractor;
};
constexpr Feature kFeatures[] = {
    {"motion_cuda", "motion"}, {"vif_cuda", "vif"}, {"adm_cuda", "adm"}};

std::string KeyOf(std::string_view name) {
  constexpr std::string_view kPrefix = "VMAF_integer_feature_", kSuffix = "_score";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  return "integer_" + std::string(name);
}

culprit_status NewStatus() {
  culprit_status status{};
  status.size = sizeof(status);
  return status;
}

struct Shape {
  unsigned width, height, bits;
  int format;
};
constexpr Shape kAnyShape = {32, 32, 8, CULPRIT_PIXEL_420};

}  // namespace

// The geometry is known with the first pictures only, so that is when the session is opened.
struct VmafContext {
  unsigned threads = 0;
  std::vector<const char*> extractors;
  VmafCudaState* state = nullptr;
  culprit_session* session = nullptr;
  bool has_ring = false;
  Shape shape = kAnyShape;

  int Open(const Shape& wanted) {
    if (session != nullptr) return 0;
    shape = wanted;
    culprit_status status = NewStatus();
    const culprit_config config{
        sizeof(config), shape.width, shape.height, shape.bits, static_cast<uint32_t>(shape.format),
        threads};
    int error = Subject().open(&config, &session, &status);
    for (const char* name : extractors) {
      if (error == 0) error = Subject().use_extractor(session, name, nullptr, 0, &status);
    }
    if (error == 0 && state != nullptr)
      error = Subject().import_state(session, StateOf(state), &status);
    return error;
  }
};

extern "C" {

const char* vmaf_version(void) { return "stand-in"; }

int vmaf_init(VmafContext** vmaf, VmafConfiguration configuration) {
  *vmaf = new VmafContext;
  (*vmaf)->threads = configuration.n_threads;
  return 0;
}

int vmaf_use_feature(VmafContext* vmaf, const char* name, void*) {
  for (const Feature& feature : kFeatures) {
    if (std::string_view(feature.name) != name) continue;
    vmaf->extractors.push_back(feature.extractor);
    return 0;
  }
  return -EINVAL;
}

int vmaf_picture_alloc(VmafPicture* picture, int format, unsigned bits, unsigned width,
                       unsigned height) {
  *picture = {};
  picture->pix_fmt = format;
  picture->bpc = bits;
  const unsigned sample = bits > 8 ? 2 : 1;
  for (int plane = 0; plane < (format == CULPRIT_PIXEL_400 ? 1 : 3); ++plane) {
    const bool narrow = plane > 0 && format != CULPRIT_PIXEL_444;
    const bool low = plane > 0 && format == CULPRIT_PIXEL_420;
    picture->w[plane] = narrow ? (width + 1) / 2 : width;
    picture->h[plane] = low ? (height + 1) / 2 : height;
    picture->stride[plane] = picture->w[plane] * sample;
    picture->data[plane] =
        std::malloc(static_cast<size_t>(picture->stride[plane]) * picture->h[plane]);
  }
  return 0;
}

int vmaf_picture_unref(VmafPicture* picture) {
  for (void*& plane : picture->data) {
    std::free(plane);
    plane = nullptr;
  }
  return 0;
}

static culprit_frame FrameOf(const VmafPicture& picture) {
  culprit_frame frame{};
  frame.size = sizeof(frame);
  frame.width = picture.w[0];
  frame.height = picture.h[0];
  frame.bits = picture.bpc;
  frame.format = static_cast<uint32_t>(picture.pix_fmt);
  for (; frame.planes < 3 && picture.data[frame.planes] != nullptr; ++frame.planes) {
    frame.data[frame.planes] = picture.data[frame.planes];
    frame.stride[frame.planes] = static_cast<size_t>(picture.stride[frame.planes]);
  }
  return frame;
}

static int Submit(VmafContext* vmaf, const VmafPicture& reference, const VmafPicture& distorted,
                  unsigned index) {
  const culprit_frame frames[] = {FrameOf(reference), FrameOf(distorted)};
  culprit_status status = NewStatus();
  if (!vmaf->has_ring)
    return Subject().submit(vmaf->session, &frames[0], &frames[1], index, &status);
  culprit_picture* pictures[2] = {};
  for (int i = 0; i < 2; ++i) {
    const int fetched = Subject().fetch(vmaf->session, &frames[i], &pictures[i], &status);
    if (fetched != 0) return fetched;
  }
  return Subject().submit_pictures(vmaf->session, pictures[0], pictures[1], index, &status);
}

int vmaf_read_pictures(VmafContext* vmaf, VmafPicture* reference, VmafPicture* distorted,
                       unsigned index) {
  culprit_status status = NewStatus();
  if (reference == nullptr) {
    return vmaf->session != nullptr ? Subject().flush(vmaf->session, &status) : 0;
  }
  int error = vmaf->Open({reference->w[0], reference->h[0], reference->bpc, reference->pix_fmt});
  if (error == 0) error = Submit(vmaf, *reference, *distorted, index);
  vmaf_picture_unref(reference);
  vmaf_picture_unref(distorted);
  return error;
}

int vmaf_feature_score_at_index(VmafContext* vmaf, const char* feature, double* score,
                                unsigned index) {
  culprit_status status = NewStatus();
  return Subject().score(vmaf->session, KeyOf(feature).c_str(), index, score, &status);
}

int vmaf_close(VmafContext* vmaf) {
  // A state that was imported is the session's to release, also when no picture ever came.
  if (const int opened = vmaf->state != nullptr ? vmaf->Open(kAnyShape) : 0; opened != 0)
    return opened;
  culprit_status status = NewStatus();
  if (vmaf->session != nullptr) {
    if (const int closed = Subject().close(&vmaf->session, &status); closed != 0) return closed;
  }
  delete vmaf;
  return 0;
}

int vmaf_cuda_state_init(VmafCudaState** state, VmafCudaConfiguration configuration) {
  culprit_state* made = nullptr;
  culprit_status status = NewStatus();
  const int error = Subject().state_init(configuration.cu_ctx, &made, &status);
  if (error == 0) *state = reinterpret_cast<VmafCudaState*>(made);
  return error;
}

int vmaf_cuda_import_state(VmafContext* vmaf, VmafCudaState* state) {
  if (vmaf->state != nullptr) return -EINVAL;
  vmaf->state = state;
  return 0;
}

int vmaf_cuda_preallocate_pictures(VmafContext* vmaf, VmafCudaPictureConfiguration configuration) {
  constexpr uint32_t kPictures = 4;
  const auto& wanted = configuration.pic_params;
  if (const int opened = vmaf->Open({wanted.w, wanted.h, wanted.bpc, wanted.pix_fmt}); opened != 0)
    return opened;
  culprit_status status = NewStatus();
  const int error = Subject().preallocate(vmaf->session, kPictures, &status);
  vmaf->has_ring |= error == 0;
  return error;
}

int vmaf_cuda_fetch_preallocated_picture(VmafContext* vmaf, VmafPicture* picture) {
  const Shape& shape = vmaf->shape;
  return vmaf_picture_alloc(picture, shape.format, shape.bits, shape.width, shape.height);
}

int vmaf_cuda_state_free(VmafCudaState* state) {
  culprit_state* held = StateOf(state);
  culprit_status status = NewStatus();
  return Subject().state_free(&held, &status);
}

}  // extern "C"
