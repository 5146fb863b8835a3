// SPDX-License-Identifier: Apache-2.0
//
// The textures and surfaces that one launch looks at.
#ifndef FAKEDRIVER_HANDLERS_TEXTURE_TABLE_H_
#define FAKEDRIVER_HANDLERS_TEXTURE_TABLE_H_

#include <mutex>
#include <vector>

#include "fakedriver/core/object.h"
#include "fakedriver/exec/launch.h"

namespace culprit::fakedriver::handlers {

// The texture or surface object that the handle names; null: neither.
Ref<Object> FindTexture(uint64_t handle);

class TextureTable final : public exec::TextureTable {
 public:
  // `known` are found even when they were destroyed meanwhile.
  explicit TextureTable(const std::vector<Ref<Object>>& known) : held_(known) {}

  const exec::Texture* Find(uint64_t handle) override;

 private:
  std::mutex mutex_;  // guards held_
  std::vector<Ref<Object>> held_;
};

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_TEXTURE_TABLE_H_
