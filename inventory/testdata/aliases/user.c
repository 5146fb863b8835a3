#include "table.h"

struct file {
  int (*close)(struct file *);
};

int finish(struct owner *o, struct file *f) {
  int err = o->table->unload(o->module);                 /* want: raw-teardown */
  if (!err) err = o->table->give_back(o->memory);        /* want: raw-teardown */
  if (!err) err = end_event(o->event);                   /* want: raw-teardown */
  if (!err) err = f->close(f);  /* either struct may be meant: nothing is claimed without types */
  return err;
}

/* A local of the same name is another thing. */
int unrelated(int (*end)(int)) {
  int unload = end(1);
  return unload;
}
