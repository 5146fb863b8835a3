# SPDX-License-Identifier: Apache-2.0
# cmake -DCULPRIT=... -DMUTANT=... -DCORRECT=... -DSUITE=... -DFOLDER=... -DCOMPILER=... -DFLAGS=... -DLIBRARIES=... -DDRIVER=...
#       -P test_case_of_failure.cmake
# Certifies a mutant, builds the GoogleTest case that was written for its failure, and runs it: it fails on the mutant and
# passes on the correct port. The smallest case fails when it is replayed, too.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CULPRIT} certify ${MUTANT} --suite ${SUITE} --profile r580 --report ${FOLDER}
                RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 1)
  message(FATAL_ERROR "the mutant was certified with exit code ${code}:\n${output}")
endif()
file(GLOB cases ${FOLDER}/replays/*_test.cc)
if(NOT cases)
  message(FATAL_ERROR "no test was written:\n${output}")
endif()
list(GET cases 0 source)
string(REGEX REPLACE "_test\\.cc$" ".min.json" replay ${source})
execute_process(COMMAND ${CULPRIT} replay ${replay} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 1 OR NOT output MATCHES "reproduced: ")
  message(FATAL_ERROR "${replay} was not reproduced, exit code ${code}:\n${output}")
endif()
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
separate_arguments(libraries UNIX_COMMAND "${LIBRARIES}")
execute_process(COMMAND ${COMPILER} -std=c++20 -Wall -Wextra -Werror ${flags} ${source} -o ${FOLDER}/case ${libraries}
                RESULT_VARIABLE code ERROR_VARIABLE output)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${source} does not compile:\n${output}")
endif()
foreach(port IN ITEMS MUTANT CORRECT)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${DRIVER} CULPRIT_PORT=${${port}} ${FOLDER}/case
                  RESULT_VARIABLE code_${port} OUTPUT_VARIABLE output_${port} ERROR_VARIABLE output_${port})
endforeach()
if(NOT code_MUTANT EQUAL 1 OR NOT code_CORRECT EQUAL 0)
  message(FATAL_ERROR "exit code ${code_MUTANT} on the mutant:\n${output_MUTANT}\n${code_CORRECT} on the correct port:\n${output_CORRECT}")
endif()
message(STATUS "fails on the mutant and passes on the correct port: ${source}")
