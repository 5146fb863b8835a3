#define CAT(a, b) a##b
#define CU(name) CAT(cu, name)
#define CU2(family, verb) cu##family##verb
#define DROP(m) CU(ModuleUnload)(m)
#define RUN(name, ...) CU(name)(__VA_ARGS__)
#define EVENT_END EventDestroy
#define RUN_LATER(queue, call) queue##_push(call)

int glued(struct owner *o) {
  int err = CAT(cu, ModuleUnload)(o->module);     /* want: raw-teardown */
  if (!err) err = CU(StreamDestroy)(o->stream);   /* want: raw-teardown */
  if (!err) err = CU2(Mem, Free)(o->memory);      /* want: raw-teardown */
  if (!err) err = DROP(o->module);                /* want: raw-teardown */
  if (!err) err = RUN(MemFreeHost, o->host);      /* want: raw-teardown */
  if (!err) err = CU(EVENT_END)(o->event);        /* want: raw-teardown */
  RUN_LATER(work, CU(CtxDestroy)(o->context));    /* want: raw-teardown */
  return err;
}

/* Glued into names that only begin like an entry. */
int harmless(struct owner *o) {
  CAT(my_cu, ModuleUnload)(o->module);
  CU(ModuleUnloadEverything)(o->module);
  RUN_LATER(cuModule, o);
  return 0;
}
