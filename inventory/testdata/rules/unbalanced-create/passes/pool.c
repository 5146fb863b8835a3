int open_pool(struct pool *p) {
  int err = cuStreamCreate(&p->stream, 0);
  if (!err) err = cuEventCreate(&p->events[0], 0);
  return err;
}

int close_pool(struct pool *p) {
  int err = destroy_event(p, &p->events[1]);
  if (!err) err = free_stream(&p->stream);
  return err;
}
