#define CHECK_GOTO(call, label) \
  do { if (call) goto label; } while (0)

int early_return(struct owner *o) {
  int err = cuCtxPushCurrent(o->ctx);
  if (err) return err;
  err = cuStreamSynchronize(o->stream);
  if (err) return err; /* want: context-imbalance */
  return cuCtxPopCurrent(0);
}

int goto_past_the_pop(struct owner *o) {
  CHECK_GOTO(o->f->cuCtxPushCurrent(o->ctx), fail);
  CHECK_GOTO(o->f->cuStreamSynchronize(o->stream), fail);
  CHECK_GOTO(o->f->cuCtxPopCurrent(0), fail);
  return 0;
fail:
  return -1; /* want: context-imbalance */
}

int pops_too_much(struct owner *o) {
  int err = enter(o);
  if (err) return err;
  err = leave(o);
  if (!err) err = cuCtxPopCurrent(0);
  return err; /* want: context-imbalance */
}

int in_a_loop(struct owner *o, int n) {
  int err = 0;
  for (int i = 0; i < n && !err; ++i) err = cuCtxPushCurrent(o->ctx[i]);
  return err; /* want: context-imbalance */
}
