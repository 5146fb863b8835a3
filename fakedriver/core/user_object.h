// SPDX-License-Identifier: Apache-2.0
//
// A resource of the program that graphs keep alive: counted by references, of the program, of
// graphs and of executables together. When the last goes, the destructor runs: on the thread of the
// call that gave it up or, when an executable gave it up, some time later on the driver's callback
// thread (measured on driver 580). It must not call the driver.
#ifndef FAKEDRIVER_CORE_USER_OBJECT_H_
#define FAKEDRIVER_CORE_USER_OBJECT_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class UserObject final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kUserObject;

  UserObject(void* resource, CUhostFn destructor, uint32_t references)
      : Object(kKind, nullptr), resource_(resource), destructor_(destructor), count_(references) {}

  enum class Destruction : uint8_t { kNow, kLater };

  void Retain(uint32_t count);
  // False when fewer are held; then none is given up, as measured.
  bool Release(uint32_t count, Destruction when);

 private:
  void* const resource_;
  const CUhostFn destructor_;
  std::mutex mutex_;  // guards count_
  uint32_t count_;
};

// References that a graph or executable holds, by handle.
using UserObjectReferences = std::map<uint64_t, std::pair<Ref<UserObject>, uint32_t>>;

// One reference to each, for another owner.
UserObjectReferences ShareUserObjects(const UserObjectReferences& references);
void ReleaseUserObjects(UserObjectReferences& references, UserObject::Destruction when);

// An executable's own references, given back with its last user: launches in flight are some.
class SharedUserObjects {
 public:
  explicit SharedUserObjects(const UserObjectReferences& references)
      : references_(ShareUserObjects(references)) {}
  ~SharedUserObjects() { ReleaseUserObjects(references_, UserObject::Destruction::kLater); }
  SharedUserObjects(const SharedUserObjects&) = delete;
  SharedUserObjects& operator=(const SharedUserObjects&) = delete;

 private:
  UserObjectReferences references_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_USER_OBJECT_H_
