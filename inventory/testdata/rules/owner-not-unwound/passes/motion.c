static int unwind(struct motion *m) {
  return release_module(m->ctx, &m->module);
}

int init_motion(struct motion *m) {
  int err = cuModuleLoadData(&m->module, motion_ptx);
  if (err) return err;
  err = cuModuleGetFunction(&m->sad, m->module, "sad");
  if (err) goto fail;
  return 0;
fail:
  log_error(unwind(m));
  return err;
}

int close_motion(struct motion *m) {
  return release_module(m->ctx, &m->module);
}
