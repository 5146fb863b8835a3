// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/user_object.h"

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/graph_object.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

// As measured, giving up more than there is succeeds and gives up nothing.
CUresult GiveUp(const Ref<UserObject>& object, uint32_t count) {
  if (!object->Release(count, UserObject::Destruction::kNow)) {
    audit::Raise(audit::Rule::kHandleDoubleDestroy,
                 {.message = "More references of a user object were released than are held",
                  .argument = "object",
                  .object = Describe(object->record()),
                  .handle = object->handle()});
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuUserObjectCreate(CUuserObject* object_out, void* ptr, CUhostFn destroy,
                            unsigned int initialRefcount, unsigned int flags) {
  if (object_out == nullptr || destroy == nullptr || initialRefcount == 0 ||
      flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *object_out =
      reinterpret_cast<CUuserObject>(Register(Make<UserObject>(ptr, destroy, initialRefcount)));
  return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  Ref<UserObject> held;
  if (CUresult result = NeedUserObject(object, "object", &held)) return result;
  if (count == 0) return CUDA_ERROR_INVALID_VALUE;
  held->Retain(count);
  return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  Ref<UserObject> held;
  if (CUresult result = NeedUserObject(object, "object", &held)) return result;
  if (count == 0) return CUDA_ERROR_INVALID_VALUE;
  return GiveUp(held, count);
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                 unsigned int flags) {
  Ref<Graph> owner;
  if (CUresult result = NeedGraph(graph, "graph", &owner)) return result;
  Ref<UserObject> held;
  if (CUresult result = NeedUserObject(object, "object", &held)) return result;
  if (count == 0 || flags > CU_GRAPH_USER_OBJECT_MOVE) return CUDA_ERROR_INVALID_VALUE;
  if (flags != CU_GRAPH_USER_OBJECT_MOVE) held->Retain(count);
  std::lock_guard lock(owner->mutex());
  auto& references = owner->user_objects()[held->handle()];
  references.first = held;
  references.second += count;
  return CUDA_SUCCESS;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  Ref<Graph> owner;
  if (CUresult result = NeedGraph(graph, "graph", &owner)) return result;
  Ref<UserObject> held;
  if (CUresult result = NeedUserObject(object, "object", &held)) return result;
  if (count == 0) return CUDA_ERROR_INVALID_VALUE;
  {
    std::lock_guard lock(owner->mutex());
    const auto references = owner->user_objects().find(held->handle());
    if (references == owner->user_objects().end() || references->second.second < count)
      return CUDA_ERROR_INVALID_VALUE;
    references->second.second -= count;
    if (references->second.second == 0) owner->user_objects().erase(references);
  }
  return GiveUp(held, count);
}

}  // namespace culprit::fakedriver::handlers
