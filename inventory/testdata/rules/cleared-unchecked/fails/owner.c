int close_ignoring(struct owner *o) {
  int err = release_module(o->ctx, &o->module);
  o->module = 0; /* want: cleared-unchecked */
  return err;
}

int close_on_failure(struct owner *o) {
  int err = release_module(o->ctx, &o->module);
  if (err) o->module = NULL; /* want: cleared-unchecked */
  return err;
}

int wipe(struct owner *o) {
  int err = release_module(o->ctx, &o->module);
  memset(o, 0, sizeof(*o)); /* want: cleared-unchecked */
  return err;
}
