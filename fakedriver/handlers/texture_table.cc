// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/texture_table.h"

#include "fakedriver/core/driver.h"
#include "fakedriver/core/texture_object.h"
#include "fakedriver/exec/texture.h"

namespace culprit::fakedriver::handlers {

namespace {

// Memory that was freed under a texture is as good as no texture.
const exec::Texture* TextureOf(const Object& object) {
  if (object.kind() == ObjectKind::kTextureObject) {
    const auto& texture = static_cast<const TextureObject&>(object);
    return texture.memory().alive() ? &texture.texture() : nullptr;
  }
  const auto& surface = static_cast<const SurfaceObject&>(object);
  return surface.memory().alive() ? &surface.texture() : nullptr;
}

}  // namespace

Ref<Object> FindTexture(uint64_t handle) {
  HandleTable& handles = Driver::Get().handles();
  const auto* name = reinterpret_cast<const void*>(handle);
  if (Found<TextureObject> texture = handles.Find<TextureObject>(name)) return texture.object;
  if (Found<SurfaceObject> surface = handles.Find<SurfaceObject>(name)) return surface.object;
  return nullptr;
}

const exec::Texture* TextureTable::Find(uint64_t handle) {
  std::lock_guard lock(mutex_);
  for (const Ref<Object>& held : held_) {
    if (held->handle() == handle) return TextureOf(*held);
  }
  Ref<Object> found = FindTexture(handle);
  if (!found) return nullptr;
  held_.push_back(found);
  return TextureOf(*found);
}

}  // namespace culprit::fakedriver::handlers
