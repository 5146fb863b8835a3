void* Resolve(void* library, const char* name) { return dlsym(library, name); }

void Load(Table* table, void* library) {
  table->release = Resolve(library, "cuDevicePrimaryCtxRelease_v2");  // want: raw-teardown
}

const Entry kEntries[] = {
    {"cuLinkDestroy", &link_destroy},  // want: raw-teardown
    {"cuInit", &init},
};
