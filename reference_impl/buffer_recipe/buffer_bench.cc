// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/buffer_recipe/buffer_bench.h"

#include <cerrno>

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

std::string Argument(const Options& arguments, const char* name, const char* otherwise = "") {
  const auto found = arguments.find(name);
  return found == arguments.end() ? otherwise : found->second;
}

Status Refuse(const std::string& what) { return ExtractorFailure(-EINVAL, what); }

}  // namespace

Status BufferBench::Open() {
  if (stream_ != nullptr) return Status();
  if (context_ == nullptr) {
    std::shared_ptr<const Driver> driver;
    Status loaded = Driver::Load(&driver);
    if (!loaded.ok()) return loaded;
    Status retained = Context::Retain(driver, &context_);
    if (!retained.ok()) return retained;
  }
  auto stream = std::make_shared<Stream>();
  Status opened = stream->Open(context_);
  if (opened.ok()) stream_ = std::move(stream);
  return opened;
}

Status BufferBench::RecipeFor(const std::string& stream, std::unique_ptr<CleanupRecipe>* recipe) {
  if (stream == "created") {
    *recipe = std::make_unique<CleanupRecipe>(CleanupRecipe::OnStream(context_, stream_));
  } else if (stream == "legacy") {
    *recipe = std::make_unique<CleanupRecipe>(CleanupRecipe::OnLegacyStream(context_));
  } else if (stream == "per_thread") {
    *recipe = std::make_unique<CleanupRecipe>(CleanupRecipe::OnPerThreadStream(context_));
  } else {
    return Refuse("stream is created, legacy or per_thread");
  }
  return Status();
}

Status BufferBench::MakePool() {
  if (pool_ != nullptr) return Status();
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return InContext(*context_,
                   [&] { return context_->driver().cuMemPoolCreate(&pool_, &properties); });
}

// The application allocates, and hands over with the stream on which the free is to be ordered.
Status BufferBench::AllocateToAdopt(CleanupRecipe recipe, bool managed,
                                    std::unique_ptr<OwningBuffer>* buffer) {
  CUdeviceptr memory = 0;
  const Driver& driver = context_->driver();
  Status made = InContext(*context_, [&] {
    return managed ? driver.cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL)
                   : driver.cuMemAllocAsync(&memory, kBytes, recipe.stream());
  });
  if (memory == 0) return made;
  *buffer = managed ? OwningBuffer::AdoptManaged(std::move(recipe), memory)
                    : OwningBuffer::Adopt(std::move(recipe), memory);
  return made;
}

Status BufferBench::Allocate(const Options& arguments) {
  Status opened = Open();
  if (!opened.ok()) return opened;
  std::unique_ptr<CleanupRecipe> recipe;
  Status captured = RecipeFor(Argument(arguments, "stream", "created"), &recipe);
  if (!captured.ok()) return captured;
  std::unique_ptr<OwningBuffer>& buffer = buffers_[Argument(arguments, "name")];
  if (buffer != nullptr) return Refuse("a buffer of that name exists");
  const std::string origin = Argument(arguments, "origin", "async");
  if (origin == "async") return OwningBuffer::AllocateAsync(*recipe, kBytes, &buffer);
  if (origin == "managed") return OwningBuffer::AllocateManaged(*recipe, kBytes, &buffer);
  if (origin == "adopted") return AllocateToAdopt(*recipe, /*managed=*/false, &buffer);
  if (origin == "adopted_managed") return AllocateToAdopt(*recipe, /*managed=*/true, &buffer);
  if (origin != "pool") return Refuse("origin is async, pool, managed, adopted, adopted_managed");
  Status pooled = MakePool();
  return pooled.ok() ? OwningBuffer::AllocateFromPool(*recipe, pool_, kBytes, &buffer) : pooled;
}

Status BufferBench::Import(const Options& arguments) {
  Status opened = Open();
  if (!opened.ok()) return opened;
  Status published = publisher_.Start(kBytes);
  if (!published.ok()) return published;
  std::unique_ptr<CleanupRecipe> recipe;
  Status captured = RecipeFor(Argument(arguments, "stream", "created"), &recipe);
  if (!captured.ok()) return captured;
  std::unique_ptr<OwningBuffer>& buffer = buffers_[Argument(arguments, "name")];
  if (buffer != nullptr) return Refuse("a buffer of that name exists");
  return OwningBuffer::Import(*recipe, publisher_.handle(), &buffer);
}

Status BufferBench::Find(const Options& arguments, std::unique_ptr<OwningBuffer>** buffer) {
  const auto found = buffers_.find(Argument(arguments, "name"));
  if (found == buffers_.end() || found->second == nullptr) return Refuse("there is no such buffer");
  *buffer = &found->second;
  return Status();
}

Status BufferBench::Use(const Options& arguments) {
  std::unique_ptr<OwningBuffer>* buffer = nullptr;
  Status found = Find(arguments, &buffer);
  if (!found.ok()) return found;
  return InContext(*context_, [&] {
    return context_->driver().cuMemsetD8Async((*buffer)->memory(), 1, kBytes,
                                              (*buffer)->recipe().stream());
  });
}

Status BufferBench::Drop(const Options& arguments) {
  std::unique_ptr<OwningBuffer>* buffer = nullptr;
  Status found = Find(arguments, &buffer);
  if (!found.ok()) return found;
  Status freed = (*buffer)->Free(warnings_);
  if ((*buffer)->freed()) buffer->reset();
  return freed;
}

Status BufferBench::Attach(const Options& arguments) {
  std::unique_ptr<OwningBuffer>* buffer = nullptr;
  Status found = Find(arguments, &buffer);
  if (!found.ok()) return found;
  if (graph_ != nullptr) return Refuse("there is a graph already");
  graph_ = std::make_unique<RetainedGraph>(context_);
  return graph_->Attach(buffer, frees_, warnings_);
}

Status BufferBench::LaunchGraph() {
  if (graph_ == nullptr || !graph_->executable()) return Refuse("there is no graph to launch");
  Status launched = graph_->Launch(*stream_);
  return launched.ok() ? stream_->Synchronize() : launched;
}

Status BufferBench::DestroyGraph() {
  if (graph_ == nullptr) return Status();
  Status closed = graph_->Close();
  if (graph_->closed()) graph_.reset();
  return closed;
}

Status BufferBench::Drain() {
  if (!frees_.WaitForExpected())
    return HostFailure(-ETIMEDOUT, "a graph did not give its buffer up");
  return frees_.Drain(warnings_);
}

Status BufferBench::FreeArrived() { return frees_.Drain(warnings_); }

Status BufferBench::ExpectWarnings(const Options& arguments) {
  const size_t count = warnings_.texts().size();
  if (std::to_string(count) == Argument(arguments, "count", "0")) return Status();
  return Refuse("there are " + std::to_string(count) + " warnings");
}

Status BufferBench::ReleaseOwners() {
  FirstError first;
  first.Note(DestroyGraph());
  if (graph_ == nullptr) first.Note(Drain());
  for (auto& [name, buffer] : buffers_) {
    if (buffer != nullptr) first.Note(buffer->Free(warnings_));
  }
  return first.Take();
}

Status BufferBench::Release() {
  if (context_ == nullptr) return Status();
  Status owners = ReleaseOwners();
  if (!owners.ok()) return owners;
  buffers_.clear();
  // What is imported must be closed before its owner frees it.
  Status stopped = publisher_.Stop();
  if (!stopped.ok()) return stopped;
  if (stream_ != nullptr) {
    Status quiet = stream_->Close();
    if (!quiet.ok()) return quiet;
  }
  if (pool_ != nullptr) {
    Status destroyed = InContext(*context_, [&] {
      Status done = context_->driver().cuMemPoolDestroy(pool_);
      if (done.ok()) pool_ = nullptr;  // whatever the way back out of the context says
      return done;
    });
    if (!destroyed.ok()) return destroyed;
  }
  return context_->Release();
}

}  // namespace culprit::reference
