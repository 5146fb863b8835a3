int balanced(struct owner *o) {
  int err = cuCtxPushCurrent(o->ctx);
  if (err) return err;
  err = cuStreamSynchronize(o->stream);
  if (err) goto pop;
  err = cuMemcpyHtoD(o->memory, o->host, o->size);
pop:
  {
    int pop_err = cuCtxPopCurrent(0);
    if (pop_err) pop_err = cuCtxPopCurrent(0); /* one retry */
    return err ? err : pop_err;
  }
}

int only_if_needed(struct owner *o) {
  int pushed = 0;
  if (o->ctx) {
    if (cuCtxPushCurrent(o->ctx) != CUDA_SUCCESS) return -1;
    pushed = 1;
  }
  int err = cuStreamSynchronize(o->stream);
  if (pushed) {
    int pop_err = cuCtxPopCurrent(0);
    if (!err) err = pop_err;
  }
  return err;
}

int enter(struct owner *o) {
  return cuCtxPushCurrent(o->ctx);
}

int leave(struct owner *o) {
  return cuCtxPopCurrent(0);
}

int create(struct owner *o) {
  int err = cuCtxCreate(&o->ctx, 0, o->device);
  if (err) return err;
  return cuCtxPopCurrent(0);
}

int destroy(struct owner *o) {
  return free_context(&o->ctx);
}

int by_kind(struct owner *o) {
  if (o->is_cuda == true) {
    if (cuCtxPushCurrent(o->ctx) != CUDA_SUCCESS) return -1;
  }
  work(o);
  if (o->is_cuda == true) return cuCtxPopCurrent(0);
  return 0;
}

int enter_or_minus_one(struct owner *o) {
  return cuCtxPushCurrent(o->ctx) == CUDA_SUCCESS ? 0 : -1;
}

int asks_for_minus_one(struct owner *o) {
  if (enter_or_minus_one(o) == -1) return -1;
  work(o);
  return cuCtxPopCurrent(0);
}
