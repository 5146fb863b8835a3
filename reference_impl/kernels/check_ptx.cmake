# SPDX-License-Identifier: Apache-2.0
# Compiles KERNEL.cu with NVCC and compares the result with KERNEL.ptx, byte for byte. Another version of nvcc may write other
# text for the same program, so then the check is skipped, and says so.
if(NOT NVCC)
  message("SKIPPED: nvcc is not installed, so ${KERNEL}.ptx was not compared with ${KERNEL}.cu")
  return()
endif()
file(STRINGS ${FOLDER}/${KERNEL}.ptx made_by REGEX "Cuda compilation tools" LIMIT_COUNT 1)
string(REGEX MATCH "V[0-9.]+" wanted "${made_by}")
execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE installed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "V[0-9.]+" found "${installed}")
if(NOT wanted STREQUAL found)
  message("SKIPPED: ${KERNEL}.ptx was made by nvcc ${wanted}; nvcc ${found} is installed")
  return()
endif()
execute_process(COMMAND ${NVCC} ${FLAGS} ${FOLDER}/${KERNEL}.cu -o ${SCRATCH}/${KERNEL}.check.ptx
                COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FOLDER}/${KERNEL}.ptx kept HEX)
file(READ ${SCRATCH}/${KERNEL}.check.ptx made HEX)
if(NOT kept STREQUAL made)
  message(FATAL_ERROR "${KERNEL}.ptx is not what ${KERNEL}.cu compiles to. Build the target reference_ptx_update.")
endif()
