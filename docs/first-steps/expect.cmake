# SPDX-License-Identifier: Apache-2.0
# Runs PROGRAM under `culprit run` and holds exit code and report to CODE and EXPECTED, a regular expression.
execute_process(COMMAND ${CULPRIT} run -- ${PROGRAM} ${ARGUMENTS}
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
message("${out}${err}")
if(NOT out MATCHES "256 bytes are right")
  message(FATAL_ERROR "the program did not do its work")
endif()
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "exit code ${code}, expected ${CODE}")
endif()
if(NOT err MATCHES "${EXPECTED}")
  message(FATAL_ERROR "the report does not match: ${EXPECTED}")
endif()
