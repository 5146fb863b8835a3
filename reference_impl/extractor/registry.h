// SPDX-License-Identifier: Apache-2.0
//
// The extractors there are.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_REGISTRY_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_REGISTRY_H_

#include <memory>
#include <span>
#include <string_view>

#include "reference_impl/extractor/extractor.h"

namespace culprit::reference {

// The back ends whose extractors are flushed by their own back end's flush are all but kCpu.
enum class Backend : uint8_t { kCpu, kCuda, kLoopback };

// Where a threaded session keeps an extractor. A serial one keeps every extractor in the registered
// vector.
enum class Placement : uint8_t { kRegistered, kContextPool, kWorkerPrivate };

struct FrameSize {
  uint32_t width = 1;
  uint32_t height = 1;
};

struct ExtractorDescriptor {
  const char* name;
  Backend backend;
  bool temporal;  // needs its frames in order, and a flush
  Placement placement;
  const char* const* keys;  // of the default options, null-terminated
  std::unique_ptr<Extractor> (*create)();
  FrameSize smallest = {};  // luma of a 4:2:0 frame that Init accepts
};

const char* NameOf(Backend backend);
inline bool IsGpu(Backend backend) { return backend != Backend::kCpu; }

std::span<const ExtractorDescriptor> AllExtractors();
// Null if there is none.
const ExtractorDescriptor* FindExtractor(std::string_view name);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_REGISTRY_H_
