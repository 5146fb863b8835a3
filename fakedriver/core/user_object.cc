// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/user_object.h"

#include "fakedriver/core/callback_thread.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/gate.h"

namespace culprit::fakedriver {

void UserObject::Retain(uint32_t count) {
  std::lock_guard lock(mutex_);
  count_ += count;
}

bool UserObject::Release(uint32_t count, Destruction when) {
  {
    std::lock_guard lock(mutex_);
    if (count > count_) return false;
    count_ -= count;
    if (count_ != 0) return true;
  }
  if (!Unregister(Ref<Object>(this))) return true;
  if (when == Destruction::kNow) {
    CallbackScope scope;
    destructor_(resource_);
  } else {
    CallbackThread::Get().Post(
        [destructor = destructor_, resource = resource_] { destructor(resource); });
  }
  return true;
}

UserObjectReferences ShareUserObjects(const UserObjectReferences& references) {
  UserObjectReferences shared;
  for (const auto& [handle, held] : references) {
    held.first->Retain(1);
    shared.emplace(handle, std::make_pair(held.first, 1u));
  }
  return shared;
}

void ReleaseUserObjects(UserObjectReferences& references, UserObject::Destruction when) {
  for (auto& [handle, held] : references) held.first->Release(held.second, when);
  references.clear();
}

}  // namespace culprit::fakedriver
