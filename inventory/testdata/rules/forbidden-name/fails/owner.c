int close_buffers(struct owner *o) {
  int err = buffer_free_now(o->a); /* want: forbidden-name */
  o->release = buffer_free_now;    /* want: forbidden-name */
  return err;
}
