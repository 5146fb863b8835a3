static int free_all(struct motion *m) {
  return release_module(m->ctx, &m->module);
}

int init_motion(struct motion *m) {
  return cuModuleLoadData(&m->module, motion_ptx);
}

int close_motion(struct motion *m) {
  return free_all(m);
}
