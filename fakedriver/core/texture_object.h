// SPDX-License-Identifier: Apache-2.0
//
// Texture and surface objects: how a kernel reads memory that is not addressed by pointers.
#ifndef FAKEDRIVER_CORE_TEXTURE_OBJECT_H_
#define FAKEDRIVER_CORE_TEXTURE_OBJECT_H_

#include <memory>
#include <utility>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/object.h"

namespace culprit::exec {
struct Texture;
}

namespace culprit::fakedriver {

class TextureObject final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kTextureObject;

  struct Description {
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC texture{};
    CUDA_RESOURCE_VIEW_DESC view{};
    bool has_view = false;
  };

  TextureObject(Context& context, const Description& description, Ref<Allocation> memory,
                std::shared_ptr<const exec::Texture> texture)
      : Object(ObjectKind::kTextureObject, &context),
        description_(description),
        memory_(std::move(memory)),
        texture_(std::move(texture)) {}

  const Description& description() const { return description_; }
  const Allocation& memory() const { return *memory_; }
  const exec::Texture& texture() const { return *texture_; }

 private:
  const Description description_;
  const Ref<Allocation> memory_;
  const std::shared_ptr<const exec::Texture> texture_;
};

class SurfaceObject final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kSurfaceObject;

  SurfaceObject(Context& context, const CUDA_RESOURCE_DESC& resource, Ref<Allocation> memory,
                std::shared_ptr<const exec::Texture> texture)
      : Object(ObjectKind::kSurfaceObject, &context),
        resource_(resource),
        memory_(std::move(memory)),
        texture_(std::move(texture)) {}

  const CUDA_RESOURCE_DESC& resource() const { return resource_; }
  const Allocation& memory() const { return *memory_; }
  const exec::Texture& texture() const { return *texture_; }

 private:
  const CUDA_RESOURCE_DESC resource_;
  const Ref<Allocation> memory_;
  const std::shared_ptr<const exec::Texture> texture_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_TEXTURE_OBJECT_H_
