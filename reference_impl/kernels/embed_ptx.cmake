# SPDX-License-Identifier: Apache-2.0
# Writes SOURCE: a C++ constant k<Kernel>Ptx that holds the text of PTX.
file(READ ${PTX} text)
string(REPLACE "_" ";" words ${KERNEL})
set(name k)
foreach(word IN LISTS words)
  string(SUBSTRING ${word} 0 1 first)
  string(SUBSTRING ${word} 1 -1 rest)
  string(TOUPPER ${first} first)
  string(APPEND name ${first}${rest})
endforeach()
file(WRITE ${SOURCE} "#include \"reference_impl/kernels/ptx.h\"

namespace culprit::reference::kernels {

const char* const ${name}Ptx = R\"PTX(${text})PTX\";

}  // namespace culprit::reference::kernels
")
