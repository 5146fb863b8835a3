#define CHECK(call) \
  do { if (call) return -1; } while (0)

int init_motion(struct motion *m) {
  int err = cuModuleLoadData(&m->module, motion_ptx);
  if (err) return err;
  CHECK(cuModuleGetFunction(&m->sad, m->module, "sad")); /* want: owner-not-unwound */
  err = cuStreamCreate(&m->stream, 0);
  if (err) goto fail;
  return 0;
fail:
  release_stream(&m->stream);
  return err; /* want: owner-not-unwound */
}

int close_motion(struct motion *m) {
  return release_module(m->ctx, &m->module);
}
