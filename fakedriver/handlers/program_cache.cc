// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/program_cache.h"

#include <algorithm>
#include <array>
#include <list>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "fakedriver/core/copy.h"
#include "fakedriver/core/module_image.h"
#include "fakedriver/exec/program.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr uint32_t kNewestPtx = 90;  // driver 580 comes with CUDA 13.0
constexpr size_t kKept = 64;

CUresult ResultOf(exec::LoadErrorKind kind) {
  switch (kind) {
    case exec::LoadErrorKind::kNotPtx:
      return CUDA_ERROR_INVALID_IMAGE;
    case exec::LoadErrorKind::kInvalidPtx:
      return CUDA_ERROR_INVALID_PTX;
    case exec::LoadErrorKind::kUnsupportedVersion:
      return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    case exec::LoadErrorKind::kUnsupportedTarget:
      return CUDA_ERROR_INVALID_PTX;
    case exec::LoadErrorKind::kNoKernelImage:
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case exec::LoadErrorKind::kUnresolvedSymbol:
      return CUDA_ERROR_INVALID_PTX;
  }
  return CUDA_ERROR_INVALID_PTX;
}

bool MentionsTime(std::string_view code) {
  // Clocks and sleeps, and reads that another thread may satisfy.
  constexpr std::array<std::string_view, 7> kWords = {"%clock",      "%globaltimer", "nanosleep",
                                                      "ld.volatile", "ld.relaxed.",  "ld.acquire.",
                                                      "ld.mmio."};
  for (std::string_view word : kWords) {
    if (code.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// The body of the entry whose directive is on `line`, or the whole text when it is not found.
std::string_view BodyOf(std::string_view text, uint32_t line) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return text;
    ++begin;
  }
  const size_t open = text.find('{', begin);
  if (open == std::string_view::npos) return text;
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(open, i - open);
  }
  return text;
}

std::vector<bool> TakesTime(const exec::Program& program, std::span<const std::string_view> texts) {
  std::vector<bool> takes_time(program.kernels().size(), false);
  bool somewhere = false;
  for (std::string_view text : texts) somewhere = somewhere || MentionsTime(text);
  if (!somewhere) return takes_time;
  for (size_t i = 0; i < takes_time.size(); ++i) {
    // In a linked program lines do not tell which text they are of.
    const std::string_view body =
        texts.size() == 1 ? BodyOf(texts[0], program.kernels()[i].line) : std::string_view();
    const bool calls = body.empty() || body.find("call") != std::string_view::npos;
    takes_time[i] = calls || MentionsTime(body);
  }
  return takes_time;
}

LoadedImage ReadTexts(std::span<const std::string_view> texts, const exec::LoadOptions& options) {
  LoadedImage loaded;
  const exec::LoadResult result = texts.size() == 1 ? exec::Program::Load(texts[0], options)
                                                    : exec::Program::Link(texts, options);
  if (!result) {
    loaded.result = ResultOf(result.error.kind);
    loaded.log = result.error.ToLogLine();
    loaded.lacks_definition = result.error.kind == exec::LoadErrorKind::kUnresolvedSymbol;
    return loaded;
  }
  auto program = std::make_shared<LoadedProgram>();
  program->program = result.program;
  program->takes_time = TakesTime(*result.program, texts);
  loaded.program = std::move(program);
  return loaded;
}

exec::LoadOptions OptionsFor(uint32_t device_sm) {
  exec::LoadOptions options;
  options.newest_ptx_version = kNewestPtx;
  options.device_sm = device_sm;
  return options;
}

LoadedImage Read(std::span<const std::byte> bytes, uint32_t device_sm) {
  ModuleImage image = DecodeImage(bytes, device_sm);
  if (image.result != CUDA_SUCCESS) {
    LoadedImage refused;
    refused.result = image.result;
    refused.log = std::move(image.reason);
    return refused;
  }
  exec::LoadOptions options = OptionsFor(device_sm);
  options.accept_newer_targets = image.newer_target;
  const std::vector<std::string_view> texts(image.ptx.begin(), image.ptx.end());
  LoadedImage loaded = ReadTexts(texts, options);
  if (loaded.program) loaded.program = Limited(std::move(loaded.program), image.register_limit);
  return loaded;
}

struct Kept {
  uint64_t hash;
  uint64_t size;
  uint32_t device_sm;
  std::shared_ptr<const LoadedProgram> program;
};

class Cache {
 public:
  std::shared_ptr<const LoadedProgram> Find(uint64_t hash, uint64_t size, uint32_t device_sm) {
    std::lock_guard lock(mutex_);
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
      if (kept->hash != hash || kept->size != size || kept->device_sm != device_sm) continue;
      kept_.splice(kept_.begin(), kept_, kept);
      return kept_.front().program;
    }
    return nullptr;
  }

  void Keep(Kept kept) {
    std::lock_guard lock(mutex_);
    kept_.push_front(std::move(kept));
    if (kept_.size() > kKept) kept_.pop_back();
  }

 private:
  std::mutex mutex_;
  std::list<Kept> kept_;  // latest use first
};

Cache& TheCache() {
  static Cache* cache = new Cache;  // used until the process ends
  return *cache;
}

}  // namespace

std::shared_ptr<const LoadedProgram> Limited(std::shared_ptr<const LoadedProgram> program,
                                             uint32_t register_limit) {
  if (register_limit == 0) return program;
  auto limited = std::make_shared<LoadedProgram>(*program);
  limited->register_limit = program->register_limit == 0
                                ? register_limit
                                : std::min(program->register_limit, register_limit);
  return limited;
}

LoadedImage LoadText(std::string_view text, uint32_t device_sm) {
  return ReadTexts({&text, 1}, OptionsFor(device_sm));
}

LoadedImage LoadImage(std::span<const std::byte> image, uint32_t device_sm) {
  const uint64_t hash = HashBytes(image.data(), image.size());
  LoadedImage loaded;
  loaded.program = TheCache().Find(hash, image.size(), device_sm);
  if (loaded.program) return loaded;
  loaded = Read(image, device_sm);
  if (loaded.program) TheCache().Keep({hash, image.size(), device_sm, loaded.program});
  return loaded;
}

}  // namespace culprit::fakedriver::handlers
