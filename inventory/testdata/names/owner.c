#define BUFFER(verb) buffer_##verb
#define FREE_NOW BUFFER(free_now)
#define DROP buffer_free_now /* want: forbidden-name */

int close_buffers(struct owner *o) {
  int err = BUFFER(free_now)(o->a);   /* want: forbidden-name */
  if (!err) err = FREE_NOW(o->b);     /* want: forbidden-name */
  if (!err) err = BUFFER(free)(o->c);
  return err;
}

int init_motion(FeatureExtractor *fex) {
  fex->close = (close_fn *)0;         /* want: callback-lost */
  fex->close = ((void *)0);           /* want: callback-lost */
  fex->close = (choose_close)(0);
  fex->close = close_of(NULL);
  fex->opened = NULL;
  return 0;
}
