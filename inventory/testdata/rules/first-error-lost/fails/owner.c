int unread(struct owner *o) {
  int err = release_module(o->ctx, &o->a);
  err = release_module(o->ctx, &o->b); /* want: first-error-lost */
  return err;
}

int last_error_wins(struct owner *o) {
  int ret = 0;
  int err = release_module(o->ctx, &o->a);
  if (err) ret = err;
  err = release_module(o->ctx, &o->b);
  if (err) ret = err; /* want: first-error-lost */
  return ret;
}

int in_a_loop(struct owner *o, int n) {
  int ret = 0;
  for (int i = 0; i < n; ++i) {
    int err = release_module(o->ctx, &o->all[i]);
    if (err) ret = err; /* want: first-error-lost */
  }
  return ret;
}

int cleanup_replaces_it(struct owner *o) {
  int err = cuStreamSynchronize(o->stream);
  if (err) goto fail;
  return 0;
fail:
  err = release_module(o->ctx, &o->a); /* want: first-error-lost */
  return err;
}

int success_replaces_it(struct owner *o) {
  int err = release_module(o->ctx, &o->a);
  err = 0; /* want: first-error-lost */
  return err;
}
