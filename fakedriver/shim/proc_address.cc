// SPDX-License-Identifier: Apache-2.0
//
// cuGetProcAddress and cuGetExportTable: the entries that answer with functions.
//
// As measured on driver 580: a name is looked up as the header spells it ("cuMemAlloc", never
// "cuMemAlloc_v2"), and the newest variant not above the version asked for is the answer. A name
// that is unknown, or known but newer than the version, is no error of the call: the status says so
// and the pointer is null. A version above the driver's own is an error, one below every version is
// not.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "fakedriver/abi/driver_version.h"
#include "fakedriver/audit/finding.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/shim/exports.h"
#include "fakedriver/shim/offered.h"

namespace culprit::fakedriver::handlers {
namespace {

struct Answer {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
};

Answer LookUp(std::string_view name, int version, bool per_thread) {
  const shim::Offer offer = shim::Offered(name, version, per_thread);
  if (!offer.known) return {};
  if (offer.row == nullptr) return {.status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT};
  return {shim::AddressOf(offer.row->id), CU_GET_PROC_ADDRESS_SUCCESS};
}

bool Acceptable(const char* symbol, void** pfn, int version, cuuint64_t flags) {
  // As recorded: both streams at once are no error.
  constexpr cuuint64_t kFlags =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  const bool known_flags = (flags & ~kFlags) == 0;
  return symbol != nullptr && pfn != nullptr && version <= kDriverVersion && known_flags;
}

bool PerThread(cuuint64_t flags) {
  return (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
}

}  // namespace

// The first form has no status to answer with.
CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags) {
  if (!Acceptable(symbol, pfn, cudaVersion, flags)) return CUDA_ERROR_INVALID_VALUE;
  Answer answer = LookUp(symbol, cudaVersion, PerThread(flags));
  *pfn = answer.function;
  return answer.function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* symbolStatus) {
  if (!Acceptable(symbol, pfn, cudaVersion, flags)) return CUDA_ERROR_INVALID_VALUE;
  Answer answer = LookUp(symbol, cudaVersion, PerThread(flags));
  *pfn = answer.function;
  if (symbolStatus != nullptr) *symbolStatus = answer.status;
  return CUDA_SUCCESS;
}

// The tables are undocumented and private to the vendor's runtime libraries, so none is known here.
CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId) {
  if (ppExportTable == nullptr || pExportTableId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string id;
  for (char byte : pExportTableId->bytes) id += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  audit::Raise(audit::Rule::kApiExportTable, {.argument = "pExportTableId", .object = id});
  *ppExportTable = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

}  // namespace culprit::fakedriver::handlers
