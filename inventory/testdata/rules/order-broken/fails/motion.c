int init_motion(struct motion *m) {
  if (m->fast && m->force_zero) return 0; /* want: order-broken */
  m->names = make_dictionary(m);
  if (m->force_zero) return 0;
  return cuStreamCreate(&m->stream, 0);
}

int close_motion(struct motion *m) {
  return free_stream(&m->stream);
}
