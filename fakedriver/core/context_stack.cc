// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/context_stack.h"

#include <unistd.h>

#include <memory>
#include <mutex>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/driver.h"

namespace culprit::fakedriver {

namespace context_stack_internal {
thread_local constinit ContextStack* current __attribute__((tls_model("initial-exec"))) = nullptr;
}

using context_stack_internal::current;

// All stacks, of running and ended threads. Those of ended threads are kept while something is left
// on them, and reused otherwise.
class StackRegistry {
 public:
  static StackRegistry& Get() {
    static StackRegistry* registry = new StackRegistry;
    return *registry;
  }

  ContextStack* Take() {
    std::lock_guard lock(mutex_);
    if (!unused_.empty()) {
      ContextStack* stack = unused_.back();
      unused_.pop_back();
      return stack;
    }
    stacks_.push_back(std::make_unique<ContextStack>());
    return stacks_.back().get();
  }

  void ThreadEnds(ContextStack* stack) {
    std::lock_guard lock(mutex_);
    const bool stale = stack->life_ != Driver::Get().life();
    if (stale || stack->entries_.empty()) {
      stack->entries_.clear();
      stack->life_ = 0;
      unused_.push_back(stack);
    } else {
      stack->ended_ = true;
    }
  }

  std::vector<ThreadStack> All() {
    std::lock_guard lock(mutex_);
    std::vector<ThreadStack> all;
    for (const auto& stack : stacks_) {
      if (stack->life_ != Driver::Get().life() || stack->entries_.empty()) continue;
      all.push_back({stack->thread_, stack->ended_, stack->entries_});
    }
    return all;
  }

  void Forget() {
    std::lock_guard lock(mutex_);
    for (const auto& stack : stacks_) {
      if (!stack->ended_) continue;
      stack->ended_ = false;
      stack->entries_.clear();
      stack->life_ = 0;
      unused_.push_back(stack.get());
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ContextStack>> stacks_;
  std::vector<ContextStack*> unused_;
};

namespace {

// The main thread's thread-local objects end before the handlers of atexit run, and those call the
// driver.
bool IsMainThread() { return gettid() == getpid(); }

struct AtThreadExit {
  ~AtThreadExit() {
    if (current == nullptr || IsMainThread()) return;
    StackRegistry::Get().ThreadEnds(current);
    current = nullptr;
  }
};
thread_local AtThreadExit at_thread_exit;

}  // namespace

ContextStack& context_stack_internal::Register() {
  if (current == nullptr) {
    current = StackRegistry::Get().Take();
    static_cast<void>(&at_thread_exit);  // the address is what makes its destructor run
  }
  current->entries_.clear();
  current->life_ = Driver::Get().life();
  current->thread_ = ThisThread().ordinal;
  return *current;
}

std::vector<ThreadStack> AllStacks() { return StackRegistry::Get().All(); }
void ForgetStacks() { StackRegistry::Get().Forget(); }

void ContextStack::Push(Context& context, bool set) {
  StackEntry entry;
  entry.context = &context;
  entry.epoch = context.epoch();
  entry.set = set;
  if (const CallInProgress* call = CurrentCall()) {
    entry.harness = call->harness;
    entry.bound = {call->sequence, call->return_address, thread_, call->api};
  }
  entries_.push_back(entry);
}

Context* ContextStack::Pop() {
  if (entries_.empty()) return nullptr;
  Context* context = entries_.back().context;
  entries_.pop_back();
  return context;
}

void ContextStack::SetTop(Context* context) {
  if (context == nullptr) {
    Pop();
    return;
  }
  if (entries_.empty()) {
    Push(*context, true);
    return;
  }
  StackEntry& top = entries_.back();
  const bool set = top.set;
  if (top.context == context && top.epoch == context->epoch()) return;
  entries_.pop_back();
  Push(*context, set);
}

}  // namespace culprit::fakedriver
