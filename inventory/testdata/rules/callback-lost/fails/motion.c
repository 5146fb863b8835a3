FeatureExtractor fex_motion = {
    .name = "motion",
    .init = init_motion,
    .close = NULL, /* want: callback-lost */
};

FeatureExtractor fex_vif = {.init = init_vif}; /* want: callback-lost */

int init_motion(FeatureExtractor *fex) {
  if (forced(fex)) {
    fex->extract = extract_zero;
    fex->close = NULL; /* want: callback-lost */
  }
  return 0;
}
