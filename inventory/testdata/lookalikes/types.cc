using UnloadFn = decltype(&cuModuleUnload);
const char* kHelp = R"(
  cuModuleUnload(module);
)";

struct Functions {
  decltype(cuStreamDestroy)* cuStreamDestroy;
};

bool Complete(const Functions& functions) { return functions.cuStreamDestroy != nullptr; }
