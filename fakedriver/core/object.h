// SPDX-License-Identifier: Apache-2.0
//
// What every object of the pretend machine has in common: its kind, the handle that names it, the
// context it belongs to, the call that made it and, later, the call that ended it.
//
// An object is counted by references (Ref), so that a thread that looked it up may go on while
// another thread destroys it. What outlives it is its record, which the handle table keeps: a stale
// handle can always be explained.
#ifndef FAKEDRIVER_CORE_OBJECT_H_
#define FAKEDRIVER_CORE_OBJECT_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

class Context;
class ObjectList;

enum class ObjectKind : uint8_t {
  kContext,
  kStream,
  kEvent,
  kModule,
  kFunction,
  kLibrary,
  kKernel,
  kLinkState,
  kAllocation,
  kHostBlock,
  kManaged,
  kPool,
  kArray,
  kMipmappedArray,
  kTextureReference,
  kTextureObject,
  kSurfaceObject,
  kReservation,  // virtual memory management: a range of addresses
  kPhysical,     // virtual memory management: memory behind one
  kMapping,      // a range with memory behind it, or a block of another process
  kGraph,
  kGraphNode,
  kGraphExec,
  kUserObject,
  kPrimaryRetain,
  kOther,
  kCount,
};

// As in rule ids and reports: "stream", "host block".
const char* KindName(ObjectKind kind);

// One driver call, as much of it as findings tell.
struct CallRecord {
  uint64_t sequence = 0;  // 0: no call (made by the driver itself, or never happened)
  const void* return_address = nullptr;
  uint32_t thread = 0;
  ApiId entry{};
};

// The call in progress on this thread; empty outside calls.
CallRecord RecordOfCall();

// A fact that one thread may add to a record while others read or copy it.
class LateFact {
 public:
  LateFact() = default;
  LateFact(const LateFact& other) : value_(other) {}
  LateFact& operator=(const LateFact& other) { return *this = static_cast<bool>(other); }
  LateFact& operator=(bool value) {
    value_.store(value, std::memory_order_relaxed);
    return *this;
  }
  operator bool() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> value_{false};
};

// Facts that outlive the object. `destroyed` and `died_with_context` are there once the object is
// no longer alive.
struct ObjectRecord {
  ObjectKind kind = ObjectKind::kOther;
  bool harness = false;   // made by the harness: never the subject's leak
  bool internal = false;  // part of another object, which answers for it: never a leak
  LateFact orphaned;      // made by a call whose success an injected error hid
  bool ambiguous =
      false;  // destroyed by a call that reported a failure: one more destroy is no misuse
  bool died_with_context = false;  // nobody destroyed it; its context took it along
  uint32_t context_epoch = 0;
  uint64_t serial = 0;  // counts objects of this kind from 1: "event #7"
  uint64_t handle = 0;
  uint64_t context = 0;  // serial of the owner, 0 for none
  CallRecord created;
  CallRecord destroyed;
};

class Object {
 public:
  // Fills the record from the call in progress. `context` null: belongs to the process.
  Object(ObjectKind kind, Context* context);
  virtual ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  ObjectKind kind() const { return record_.kind; }
  uint64_t handle() const { return record_.handle; }
  uint64_t serial() const { return record_.serial; }
  // Null for what belongs to the process, and for what has outlived its context.
  Context* context() const { return context_.load(std::memory_order_acquire); }
  const ObjectRecord& record() const { return record_; }
  ObjectRecord& record() { return record_; }
  bool alive() const { return alive_.load(std::memory_order_acquire); }

  // Fills record().destroyed; false when somebody else was faster. Either way the object is dead
  // and its record complete afterwards.
  bool MarkDestroyed(bool with_context = false);

  void set_handle(uint64_t handle) { record_.handle = handle; }

  // Called once, without locks, after MarkDestroyed(true): the context took the object along, and
  // no handler will tear it down. Memory leaves the address space here, a module its variables.
  virtual void OnContextGone() {}

  // Its context may end before it, and then leaves it to the process.
  virtual bool OutlivesContext() const { return false; }
  void LeaveContext() { context_.store(nullptr, std::memory_order_release); }

  // Bytes of device or host memory that the object stands for, for counts and leak reports.
  virtual uint64_t bytes() const { return 0; }

  void AddReference() { references_.fetch_add(1, std::memory_order_relaxed); }
  // For whoever knows the object without holding it: false when the last reference is gone.
  bool AddReferenceIfHeld() {
    uint32_t held = references_.load(std::memory_order_relaxed);
    while (held != 0 &&
           !references_.compare_exchange_weak(held, held + 1, std::memory_order_relaxed)) {
    }
    return held != 0;
  }
  void DropReference() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  // Primary contexts only.
  void Revive() {
    ending_.store(false, std::memory_order_relaxed);
    alive_.store(true, std::memory_order_release);
  }
  void StartDead() {
    ending_.store(true, std::memory_order_relaxed);
    alive_.store(false, std::memory_order_release);
  }

 private:
  friend class ObjectList;

  ObjectRecord record_;
  std::atomic<Context*> context_;
  ObjectList* list_ = nullptr;
  Object* previous_ = nullptr;
  Object* next_ = nullptr;
  std::atomic<uint32_t> references_{0};
  std::atomic<bool> ending_{false};  // some thread ends it
  std::atomic<bool> alive_{true};
};

// Owning pointer to an object.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->AddReference();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename U>
  Ref(const Ref<U>& other) : Ref(other.get()) {}
  ~Ref() {
    if (object_) object_->DropReference();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  // Takes over a reference that was counted already.
  static Ref Adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> Make(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

// Serials start from 1 again.
void ForgetSerials();

// The live objects of one owner (a context, or the process), each held by one reference.
class ObjectList {
 public:
  void Add(Object& object);
  void Remove(Object& object);  // nothing when it is not in this list

  uint32_t Count(ObjectKind kind) const;
  std::vector<Ref<Object>> Snapshot() const;
  std::vector<Ref<Object>> TakeAll();

 private:
  mutable std::mutex mutex_;
  Object* first_ = nullptr;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_OBJECT_H_
