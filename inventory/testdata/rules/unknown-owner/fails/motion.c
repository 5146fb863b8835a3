int init_motion(struct motion *m) {
  int err = cuModuleLoadData(&m->module, motion_ptx);
  if (err) return err;
  err = cuModuleGetFunction(&m->sad, m->module, "sad");
  if (err) {
    int late = release_module(m->ctx, &m->module);
    if (late) log_error(late);
  }
  return err;
}

int close_motion(struct motion *m) {
  return release_module(m->ctx, &m->module);
}
