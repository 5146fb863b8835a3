int init_motion(struct motion *m) {
  m->module = 0;
  return 0;
}
