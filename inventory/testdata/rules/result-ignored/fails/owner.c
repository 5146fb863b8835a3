int run(struct owner *o) {
  cuEventRecord(o->event, o->stream);    /* want: result-ignored */
  (void)cuStreamSynchronize(o->stream);  /* want: result-ignored */
  release_module(o->ctx, &o->module);    /* want: result-ignored */
  CUresult unused = cuCtxSynchronize();  /* want: result-ignored */
  return 0;
}
