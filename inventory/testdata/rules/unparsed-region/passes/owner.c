int broken_elsewhere(struct owner *o) {
  if (o->ready { return ]; }
  return 0;
}
