/* A header both languages read: neither side of this condition is dead. */
#ifdef __cplusplus
inline int drop(CUmodule module) { return cuModuleUnload(module); } /* want: raw-teardown */
#else
static inline int drop(CUmodule module) { return cuModuleUnload(module); } /* want: raw-teardown */
#endif
