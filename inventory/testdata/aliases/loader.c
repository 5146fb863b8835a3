#include "table.h"

CUresult (*end_event)(CUevent);

void load(struct table *t, void *library) {
  t->unload = dlsym(library, "cuModuleUnload");
  t->give_back = dlsym(library, "cuMemFree_v2");
  t->close = dlsym(library, "cuStreamDestroy_v2");
  end_event = dlsym(library, "cuEventDestroy_v2");
}
