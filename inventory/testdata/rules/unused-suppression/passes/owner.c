int sample(CUmodule module) {
  return cuModuleUnload(module); /* culprit: allow(raw-teardown): a sample that is never built */
}
