// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/texture_table.h"

#include "fakedriver/core/driver.h"
#include "fakedriver/core/texture_object.h"
#include "fakedriver/exec/texture.h"

namespace culprit::fakedriver::handlers {

const exec::Texture* TextureTable::Find(uint64_t handle) {
  HandleTable& handles = Driver::Get().handles();
  const auto* name = reinterpret_cast<const void*>(handle);
  std::lock_guard lock(mutex_);
  // Memory that was freed under a texture is as good as no texture.
  if (Found<TextureObject> texture = handles.Find<TextureObject>(name)) {
    if (!texture->memory().alive()) return nullptr;
    held_.push_back(texture.object);
    return &texture->texture();
  }
  if (Found<SurfaceObject> surface = handles.Find<SurfaceObject>(name)) {
    if (!surface->memory().alive()) return nullptr;
    held_.push_back(surface.object);
    return &surface->texture();
  }
  return nullptr;
}

}  // namespace culprit::fakedriver::handlers
