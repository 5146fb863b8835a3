int init_motion(struct motion *m) {
  m->names = make_dictionary(m);
  if (!m->names) return -1;
  if (m->force_zero) return 0;
  return cuStreamCreate(&m->stream, 0);
}

int close_motion(struct motion *m) {
  int err = cuStreamSynchronize(m->stream);
  if (err) return err;
  err = release_module(m->ctx, &m->module);
  return err ? err : free_stream(&m->stream);
}
