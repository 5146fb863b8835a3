int load(struct motion *m) {
  CUmodule module;
  int err = cuModuleLoadData(&module, motion_ptx); /* want: local-handle */
  if (err) return err;
  return cuModuleGetFunction(&m->sad, module, "sad");
}

int measure(struct motion *m) {
  CUevent start;
  int err = cuEventCreate(&start, 0); /* want: local-handle */
  if (err) return err;
  err = cuEventRecord(start, m->stream);
  if (err) return err; /* the event is lost on this path */
  return release_module(m->ctx, &start);
}
