int open_pool(struct pool *p) {
  int err = cuStreamCreate(&p->stream, 0);      /* want: unbalanced-create */
  if (!err) err = cuEventCreate(&p->ready, 0);
  if (!err) err = cuModuleLoadData(&p->kernels, image);
  return err;
}

int close_pool(struct pool *p) {
  int err = destroy_event(p, &p->ready);
  if (!err) err = release_module(p->ctx, &p->kernels);
  return err;
}
