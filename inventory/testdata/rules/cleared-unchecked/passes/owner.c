#define RETURN_IF(call) \
  do { int e_ = (call); if (e_) return e_; } while (0)

int close_checked(struct owner *o) {
  int err = release_module(o->ctx, &o->module);
  if (err) return err;
  o->module = 0;
  return 0;
}

int close_by_macro(struct owner *o) {
  RETURN_IF(release_module(o->ctx, &o->module));
  o->module = 0;
  return 0;
}

int close_if_ok(struct owner *o) {
  int err = 0;
  if (o->module) {
    err = release_module(o->ctx, &o->module);
    if (err == CUDA_SUCCESS) o->module = 0;
  }
  return err;
}
