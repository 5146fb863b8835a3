#include "driver.h"

/* The helper may unload modules; nobody said that it may free memory. */
int release_module(struct owner *o) {
  int err = o->driver->cuModuleUnload(o->module);
  if (err) return err;
  return o->driver->cuMemFree(o->memory); /* want: raw-teardown */
}
