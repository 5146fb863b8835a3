int release_module(struct context *ctx, CUmodule *module) {
  int err = ctx->driver->cuModuleUnload(*module);
  if (!err) *module = 0;
  return err;
}
