#include "driver.h"

int close_motion(struct motion *m) {
  return release_module(&m->owner);
}
