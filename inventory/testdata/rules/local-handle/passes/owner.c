int load(struct motion *m) {
  CUmodule module;
  int err = cuModuleLoadData(&module, motion_ptx);
  if (err) return err;
  m->module = module;
  return cuModuleGetFunction(&m->sad, module, "sad");
}

CUmodule load_for(struct motion *m) {
  CUmodule own = 0;
  if (cuModuleLoadData(&own, motion_ptx)) return 0;
  return own;
}

int unload_for(struct motion *m) {
  return release_module(m->ctx, &m->module);
}
