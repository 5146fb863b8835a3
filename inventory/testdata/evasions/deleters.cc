#include <memory>

struct Owner {
  ~Owner() { cuCtxDestroy(context_); }  // want: raw-teardown
  CUcontext context_;
};

template <auto Destroy>
struct Deleter;

using Stream = std::unique_ptr<CUstream_st, Deleter<&cuStreamDestroy>>;  // want: raw-teardown

auto MakeEvent(CUevent event) {
  return std::shared_ptr<CUevent_st>(event, cuEventDestroy);  // want: raw-teardown
}

void Register(Registry& registry) {
  registry.OnExit([=](CUmodule module) { return ::cuModuleUnload(module); });  // want: raw-teardown
}
