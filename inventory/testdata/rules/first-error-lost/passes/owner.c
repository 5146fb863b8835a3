int first_error_wins(struct owner *o) {
  int ret = 0;
  int err = release_module(o->ctx, &o->a);
  if (err && !ret) ret = err;
  err = release_module(o->ctx, &o->b);
  if (err && !ret) ret = err;
  return ret;
}

int guarded(struct owner *o, int n) {
  int err = cuStreamSynchronize(o->stream);
  if (!err) err = release_module(o->ctx, &o->a);
  for (int i = 0; i < n; ++i) {
    int next = release_module(o->ctx, &o->all[i]);
    err = err ? err : next;
  }
  return err;
}

int retries(struct owner *o) {
  int err = cuCtxPushCurrent(o->ctx);
  if (err) return err;
  err = cuCtxPopCurrent(0);
  if (err) err = cuCtxPopCurrent(0);
  return err;
}

int falls_back(struct owner *o) {
  int err = cuMemAllocAsync(&o->memory, o->size, o->stream);
  if (err) err = cuMemAlloc(&o->memory, o->size);
  return err ? err : free_memory(&o->memory);
}

int waits(struct owner *o) {
  int err;
  do {
    err = cuEventQuery(o->event);
  } while (err == CUDA_ERROR_NOT_READY);
  return err;
}

int forgiven(struct owner *o) {
  int err = release_module(o->ctx, &o->a);
  if (err == CUDA_ERROR_INVALID_CONTEXT) err = 0;
  return err;
}
