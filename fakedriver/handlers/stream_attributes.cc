// SPDX-License-Identifier: Apache-2.0
//
// Attributes of streams: kept and given back; they change nothing that a program could tell from
// results.
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

bool IsStreamAttribute(CUstreamAttrID attribute) {
  switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      return true;
    default:
      return false;
  }
}

}  // namespace

CUresult cuStreamCopyAttributes(CUstream dstStream, CUstream srcStream) {
  Ref<Stream> to;
  Ref<Stream> from;
  if (CUresult result = NeedStream(dstStream, "dst", &to)) return result;
  if (CUresult result = NeedStream(srcStream, "src", &from)) return result;
  to->SetAttributes(from->Attributes());
  return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (value == nullptr || !IsStreamAttribute(attr)) return CUDA_ERROR_INVALID_VALUE;
  CUstreamAttrValue held{};
  if (attr == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
    held.priority = stream->priority();
  } else if (attr == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) {
    held.syncPolicy = CU_SYNC_POLICY_AUTO;
  } else if (attr == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) {
    held.memSyncDomainMap.remote = 1;
  }
  const auto attributes = stream->Attributes();
  const auto set = attributes.find(attr);
  *value = set == attributes.end() ? held : set->second;
  return CUDA_SUCCESS;
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                              const CUstreamAttrValue* value) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  // CUDA driver API: the priority is chosen at creation.
  if (value == nullptr || !IsStreamAttribute(attr) || attr == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  auto attributes = stream->Attributes();
  attributes[attr] = *value;
  stream->SetAttributes(attributes);
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
