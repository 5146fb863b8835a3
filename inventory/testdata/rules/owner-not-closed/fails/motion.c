int init_motion(struct motion *m) {
  return cuModuleLoadData(&m->module, motion_ptx); /* want: owner-not-closed */
}

/* Releasing it elsewhere is not closing. */
int flush_motion(struct motion *m) {
  return release_module(m->ctx, &m->module);
}

int close_motion(struct motion *m) {
  return free_buffers(m);
}
