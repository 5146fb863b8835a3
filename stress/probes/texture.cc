// SPDX-License-Identifier: Apache-2.0
// An array, and a texture and a surface object over it. The control loses texture objects only,
// which hold a descriptor and no memory of their own.
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

CUDA_RESOURCE_DESC ArrayResource(CUarray array) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

class Texture final : public Workload {
 public:
  explicit Texture(Session& session) : Workload(session) {
    const size_t array = AddPair(
        "cuArrayCreate",
        [this] {
          CUDA_ARRAY_DESCRIPTOR description{};
          description.Width = 256;
          description.Height = 256;
          description.Format = CU_AD_FORMAT_UNSIGNED_INT8;
          description.NumChannels = 1;
          return driver().cuArrayCreate(&array_, &description);
        },
        "cuArrayDestroy", [this] { return driver().cuArrayDestroy(array_); });
    AddPair(
        "cuSurfObjectCreate",
        [this] {
          CUDA_RESOURCE_DESC resource = ArrayResource(surface_array_);
          return driver().cuSurfObjectCreate(&surface_, &resource);
        },
        "cuSurfObjectDestroy", [this] { return driver().cuSurfObjectDestroy(surface_); });
    SetControl(AddPair(
        "cuTexObjectCreate",
        [this] {
          CUDA_RESOURCE_DESC resource = ArrayResource(array_);
          CUDA_TEXTURE_DESC sampling{};
          return driver().cuTexObjectCreate(&texture_, &resource, &sampling, nullptr);
        },
        "cuTexObjectDestroy", [this] { return driver().cuTexObjectDestroy(texture_); }, {array}));
  }

  Outcome Setup() override {
    CUDA_ARRAY3D_DESCRIPTOR description{};
    description.Width = 256;
    description.Height = 256;
    description.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    description.NumChannels = 1;
    description.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    return driver().cuArray3DCreate(&surface_array_, &description);
  }
  Outcome Teardown() override { return driver().cuArrayDestroy(surface_array_); }

 private:
  CUarray array_ = nullptr;
  CUarray surface_array_ = nullptr;
  CUtexObject texture_ = 0;
  CUsurfObject surface_ = 0;
};

}  // namespace

const ProbeInfo kTexture{
    .name = "texture",
    .summary = "create and destroy an array, a surface and a texture object",
    .object = "one texture object",
    .control_cycles = 2000,
    .make = MakeWorkload<Texture>,
};

}  // namespace culprit::stress
