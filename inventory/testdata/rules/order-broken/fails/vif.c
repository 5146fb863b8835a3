int init_vif(struct vif *v) { /* want: order-broken */
  return v->ready ? 0 : cuStreamQuery(v->stream);
}
