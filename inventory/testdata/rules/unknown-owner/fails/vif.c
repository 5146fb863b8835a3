int init_vif(struct vif *v) {
  return cuModuleLoadData(&v->filter, vif_ptx); /* want: unknown-owner */
}

int close_vif(struct vif *v) {
  return release_module(v->ctx, &v->filter);
}
