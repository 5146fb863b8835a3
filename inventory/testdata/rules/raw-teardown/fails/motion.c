#include "driver.h"

int close_motion(struct motion *m) {
  return m->driver->cuModuleUnload(m->module); /* want: raw-teardown */
}

/* The right name in the wrong file is no helper. */
int release_module(struct motion *m) {
  return m->driver->cuModuleUnload(m->module); /* want: raw-teardown */
}
