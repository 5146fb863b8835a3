FeatureExtractor fex_motion = {
    .name = "motion",
    .init = init_motion,
    .close = close_motion,
};

int init_motion(FeatureExtractor *fex) {
  if (forced(fex)) {
    fex->extract = extract_zero;
    fex->flush = NULL;
    fex->close = close_names_only;
  }
  return 0;
}
