int close_all(struct owner *o) {
  int err = 0;
  err |= release_module(o->ctx, &o->a); /* want: results-combined */
  err = err | release_module(o->ctx, &o->b); /* want: results-combined */
  int next = release_module(o->ctx, &o->c);
  err |= next; /* want: results-combined */
  return err;
}
