// SPDX-License-Identifier: Apache-2.0
//
// A program loaded for all contexts, and its kernels. Each context that uses it gets a module of
// its own, on first use; those modules belong to the library and end with it.
#ifndef FAKEDRIVER_CORE_LIBRARY_H_
#define FAKEDRIVER_CORE_LIBRARY_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/module.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class Library;

class Kernel final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kKernel;

  Kernel(const Ref<Library>& library, uint32_t index);
  ~Kernel() override;

  Library& library() const { return *library_; }
  uint32_t index() const { return index_; }

  FunctionSettings settings;  // what cuKernelSetAttribute said, for functions yet to be made

 private:
  Ref<Library> library_;
  const uint32_t index_;
};

class Library final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kLibrary;

  // `broken`: what is wrong with the code that was loaded, or success; `loaded` is null then.
  Library(std::shared_ptr<const LoadedProgram> loaded, CUresult broken);
  ~Library() override;

  // As measured on driver 580, code is read when it is first needed: a library of anything can be
  // loaded, and using it answers this. Not success: there is no program().
  CUresult broken() const { return broken_; }
  const exec::Program& program() const { return *loaded_->program; }
  const std::shared_ptr<const LoadedProgram>& loaded() const { return loaded_; }

  Ref<Kernel> KernelOf(uint32_t index);

  // The module in `context`, or null when there is none yet (or none of this life of the context).
  Ref<Module> FindModule(const Context& context) const;
  // Adds one; keeps the earlier one when another thread was faster, and returns what counts.
  Ref<Module> AddModule(const Ref<Module>& module);

  // Ends kernels and modules. Once, after MarkDestroyed.
  void TearDown();

  // The driver forgets everything. Kernels hold their library, which holds them.
  void OnContextGone() override {
    std::vector<Ref<Kernel>> kernels;
    std::lock_guard lock(mutex_);
    kernels.swap(kernels_);
  }

 private:
  const std::shared_ptr<const LoadedProgram> loaded_;
  const CUresult broken_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Ref<Kernel>> kernels_;
  std::vector<Ref<Module>> modules_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_LIBRARY_H_
