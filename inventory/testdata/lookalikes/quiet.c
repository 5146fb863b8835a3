/* cuModuleUnload(m) is what close() used to call. */
#include "cuModuleUnload.h"
// cuStreamDestroy(s); \
   cuEventDestroy(e);

#define DISABLED 0
#ifndef cuMemFree
#define cuMemFree cuMemFree_v2
#endif

CUresult cuModuleUnload(CUmodule module);
extern CUresult cuMemFree_v2(CUdeviceptr);
typedef CUresult tcuMemFreeHost(void *);
struct functions {
  tcuMemFreeHost *cuMemFreeHost;
  CUresult (*cuStreamDestroy)(CUstream stream);
};

#if 0
int old_close(struct owner *o) { return cuModuleUnload(o->module) "unbalanced; }
#elif defined(OLD_CLOSE)
int old_close(struct owner *o) { return cuModuleUnload(o->module); }
#endif

static const char *kUsage = "never call cuModuleUnload yourself";
static const char *kName = "cuModuleUnload";

int report(struct owner *o) {
  if (!o->f->cuModuleUnload || o->f->cuMemFree == 0) return fail("cuModuleUnload");
  printf("cuStreamDestroy(%p)\n", (void *)o->stream);
  return cuModuleUnloadAll(o) + my_cuModuleUnload(o) + sizeof(cuMemFree(0));
}
