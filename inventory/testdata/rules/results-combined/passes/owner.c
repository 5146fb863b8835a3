int close_all(struct owner *o) {
  int err = release_module(o->ctx, &o->a);
  int next = release_module(o->ctx, &o->b);
  if (!err) err = next;
  o->flags |= OWNER_CLOSED;
  return err;
}
