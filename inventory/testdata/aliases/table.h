struct table {
  CUresult (*unload)(CUmodule);
  tcuMemFree *give_back;
  CUresult (*close)(CUstream); /* this name means something else elsewhere */
};

extern CUresult (*end_event)(CUevent);
