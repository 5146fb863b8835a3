#include <dlfcn.h>

int load(void *driver, struct table *t) {
  t->mem_free = dlsym(driver, "cuMemFree"); /* want: unversioned-name */
  t->module_unload = dlsym(driver, "cuModuleUnload");
  return t->mem_free && t->module_unload ? 0 : -1;
}
