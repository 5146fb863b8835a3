// SPDX-License-Identifier: Apache-2.0
//
// The stack of current contexts of one thread. Only its thread touches it, so nothing here takes a
// lock.
//
// As measured: setting the current context replaces the top, setting null pops it, and a destroyed
// context stays where it is, except that the top is popped when the destroying thread has it there.
#ifndef FAKEDRIVER_CORE_CONTEXT_STACK_H_
#define FAKEDRIVER_CORE_CONTEXT_STACK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fakedriver/core/context.h"
#include "fakedriver/core/life.h"

namespace culprit::fakedriver {

class ContextStack;

namespace context_stack_internal {
ContextStack& Register();
}

struct StackEntry {
  Context* context = nullptr;
  uint32_t epoch = 0;    // of the context when it was bound
  bool set = false;      // by cuCtxSetCurrent or a creation, not by a push
  bool harness = false;  // by the harness
  CallRecord bound;
};

class ContextStack {
 public:
  bool empty() const { return entries_.empty(); }
  size_t depth() const { return entries_.size(); }
  Context* top() const { return entries_.empty() ? nullptr : entries_.back().context; }
  const StackEntry* top_entry() const { return entries_.empty() ? nullptr : &entries_.back(); }
  const std::vector<StackEntry>& entries() const { return entries_; }
  uint32_t thread() const { return thread_; }

  // `set`: not by a push, but by cuCtxSetCurrent or a creation.
  void Push(Context& context, bool set = false);
  Context* Pop();  // null when empty
  // Replaces the top, or pushes on an empty stack; null pops.
  void SetTop(Context* context);

 private:
  friend class StackRegistry;
  friend ContextStack& CallingStack();
  friend ContextStack& context_stack_internal::Register();

  std::vector<StackEntry> entries_;
  uint64_t life_ = 0;  // the driver's life it belongs to; an older one is cleared on next use
  uint32_t thread_ = 0;
  bool ended_ = false;  // the thread has ended and left something behind
};

namespace context_stack_internal {
extern thread_local constinit ContextStack* current __attribute__((tls_model("initial-exec")));
}

// The stack of the calling thread.
inline ContextStack& CallingStack() {
  ContextStack* stack = context_stack_internal::current;
  if (stack != nullptr && stack->life_ == DriverLife()) [[likely]] {
    return *stack;
  }
  return context_stack_internal::Register();
}

// The current context of the calling thread, dead or alive, or null.
inline Context* CurrentContext() { return CallingStack().top(); }

// Copies of all stacks that are not empty, for the audit at the end of life. Only meaningful when
// those threads are not inside the driver.
struct ThreadStack {
  uint32_t thread = 0;
  bool ended = false;
  std::vector<StackEntry> entries;
};
std::vector<ThreadStack> AllStacks();

// Drops the stacks that ended threads left behind, for a reset.
void ForgetStacks();

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_CONTEXT_STACK_H_
