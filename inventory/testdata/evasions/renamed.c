#define UNLOAD "cuModuleUnload"
#define PREFIX "cu"
#define QUOTED(name) #name
#pragma weak drop_stream = cuStreamDestroy /* want: raw-teardown */

CUresult free_it(CUdeviceptr) __asm__("cuMemFree_v2");                     /* want: raw-teardown */
int drop_event(CUevent) __attribute__((alias("cuEventDestroy")));          /* want: raw-teardown */

static const char kUnload[] = "cuModuleUnload";

void *named(void *library, int which) {
  if (which == 0) return dlsym(library, UNLOAD);                  /* want: raw-teardown */
  if (which == 1) return dlsym(library, PREFIX "MemFreeHost");    /* want: raw-teardown */
  if (which == 2) return dlsym(library, kUnload);                 /* want: raw-teardown */
  if (which == 3) return dlsym(library, QUOTED(cuLinkDestroy));   /* want: raw-teardown */
  log_line(UNLOAD, kUnload, QUOTED(cuLinkDestroy));
  return dlsym(library, PREFIX "Init");
}

int valued(struct owner *o) {
  o->drop = *cuMemFree;                       /* want: raw-teardown */
  run(*cuStreamDestroy);                      /* want: raw-teardown */
  int err = (&cuModuleUnload)(o->module);     /* want: raw-teardown */
  if (!err) err = (**o->f->cuEventDestroy)(o->event); /* want: raw-teardown */
  return err;
}

void jump(void) { __asm__ volatile("call cuCtxDestroy_v2@plt"); } /* want: raw-teardown */
