// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/interposer/forward.h"

#include "fakedriver/interposer/stack_depth.h"
#include "fakedriver/interposer/tracked_objects.h"
#include "fakedriver/shim/exports.h"
#include "fakedriver/shim/offered.h"

namespace culprit::fakedriver::interposer {
namespace {

bool IsProcAddress(ApiId id) {
  return id == ApiId::cuGetProcAddress || id == ApiId::cuGetProcAddress_v2;
}

// Both forms begin with (symbol, pfn, cudaVersion, flags). A function that the driver found becomes
// ours of the same entry, so that programs which look everything up are seen as well.
void ReplaceFunction(std::span<const trace::Argument> arguments) {
  auto* function = static_cast<void**>(arguments[1].pointee());
  if (*function == nullptr) return;
  if (auto entry = VendorEntryAt(*function)) {
    *function = shim::AddressOf(*entry);
    return;
  }
  const auto* name = reinterpret_cast<const char*>(arguments[0].bits);
  const bool per_thread = arguments[3].bits == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  const shim::Offer offer = shim::Offered(name, static_cast<int>(arguments[2].bits), per_thread);
  if (offer.row != nullptr) *function = shim::AddressOf(offer.row->id);
}

}  // namespace

bool IsObserved(ApiId id) { return IsTracked(id) || ChangesStack(id) || IsProcAddress(id); }

std::optional<CUresult> Before(ApiId id, std::span<const trace::Argument> arguments) {
  if (TakeAmbiguous(id, arguments)) return CUDA_SUCCESS;
  NoteCurrentContext();
  return std::nullopt;
}

void After(ApiId id, std::span<const trace::Argument> arguments, CUresult result) {
  if (result != CUDA_SUCCESS) return;
  if (IsProcAddress(id)) ReplaceFunction(arguments);
  if (ChangesStack(id)) FollowStack(id, arguments);
  Track(id, arguments, NotedContext());
}

CUresult Missing() {
  return HasVendorDriver() ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_STUB_LIBRARY;
}

}  // namespace culprit::fakedriver::interposer
