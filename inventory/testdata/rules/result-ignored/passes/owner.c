int run(struct owner *o) {
  const char *name = 0;
  int err = cuEventRecord(o->event, o->stream);
  if (err) cuGetErrorName(err, &name);
  if (!err && cuStreamSynchronize(o->stream) != CUDA_SUCCESS) err = -1;
  (void)cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024); /* best effort, and said so */
  CHECK(cuCtxSynchronize());
  return err ? err : release_module(o->ctx, &o->module);
}
