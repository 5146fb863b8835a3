int fine(void) { return 0; }

int broken(struct owner *o) {
  if (o->ready {
    cuModuleUnload(o->module)); /* want: raw-teardown, want: unparsed-region */
  }
  return 0;
}
