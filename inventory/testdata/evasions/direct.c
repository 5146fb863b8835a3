#include "driver.h"

#define CHECK(driver, call) \
  do { if ((driver)->call) return -1; } while (0)
#define UNLOAD(module) cuModuleUnload(module) /* want: raw-teardown */
#define CU(name) (table->cu##name)
#define QUIT_ON(call) if (call) exit(1)

int through_a_table(struct owner *o) {
  int err = o->f->cuStreamDestroy(o->stream);  /* want: raw-teardown */
  err = (*o->f->cuEventDestroy_v2)(o->event);  /* want: raw-teardown */
  err = o->fs[0].cuMemFreeHost(o->host);       /* want: raw-teardown */
  err = driver_of(o)->cuMemFreeAsync(o->p, 0); /* want: raw-teardown */
  return err;
}

int through_macros(struct owner *o) {
  CHECK(o->f, cuModuleUnload(o->module)); /* want: raw-teardown */
  UNLOAD(o->module);                      /* want: raw-teardown */
  CU(ModuleUnload)(o->module);            /* want: raw-teardown */
  QUIT_ON(cuCtxDestroy(o->context));      /* want: raw-teardown */
  return 0;
}

int through_pointers(struct owner *o) {
  CUresult (*unload)(CUmodule) = o->f->cuModuleUnload; /* want: raw-teardown */
  int err = unload(o->module);                         /* want: raw-teardown */
  o->drop = &cuMemFree;                                /* want: raw-teardown */
  if (!err) err = o->drop(o->memory);                  /* want: raw-teardown */
  return run_later(cuStreamDestroy, o->stream) + err;  /* want: raw-teardown */
}

int through_names(struct owner *o, void *library) {
  int (*destroy)(void *) = dlsym(library, "cuStream" "Destroy_v2");           /* want: raw-teardown */
  int err = destroy(o->stream);                                               /* want: raw-teardown */
  err = cuGetProcAddress("cuEventDestroy", (void **)&o->fini, 12000, 0);      /* want: raw-teardown */
  return err ? err : o->fini(o->event);                                       /* want: raw-teardown */
}

int split_over_lines(struct owner *o) {
  return o->f-> /* want: raw-teardown */ cuModule\
Unload(o->module);
}

int in_one_branch(struct owner *o) {
#ifdef HAVE_ASYNC
  return cuMemFreeAsync(o->memory, o->stream); /* want: raw-teardown */
#else
  return cuMemFree(o->memory); /* want: raw-teardown */
#endif
}
