#include "driver.h"

int release_module(struct owner *o) {
  int err = o->driver->cuModuleUnload(o->module);
  if (err) return err;
  o->module = 0;
  return 0;
}
