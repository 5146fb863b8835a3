#include <dlfcn.h>

/* cuGetProcAddress takes the plain name and finds the variant by the version that it is given. */
int load(void *driver, struct table *t) {
  t->mem_free = dlsym(driver, "cuMemFree_v2");
  return cuGetProcAddress("cuEventDestroy", (void **)&t->event_destroy, 12000, 0);
}
