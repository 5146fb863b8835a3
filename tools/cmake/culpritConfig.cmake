# SPDX-License-Identifier: Apache-2.0
# find_package(culprit): certify a port from its own build.
#
#   culprit::port                   include path of culprit_port.h
#   culprit::program                the culprit command
#   culprit_add_certification(port [SUITES suite...] [PROFILES profile...] [EXPECT file] [LABELS label...])
#       adds a CTest case for each suite, named certify.<port>.<suite>; all installed suites if none is named. A suite that
#       needs what the port does not declare passes as skipped. EXPECT names an expectations file: what the port never
#       supports and what is expected to fail.
#
# The file lies in lib/cmake/culprit, in a build tree of culprit as well as under an installation prefix.
get_filename_component(culprit_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
if(NOT TARGET culprit::program)
  if(NOT EXISTS ${culprit_prefix}/bin/culprit)
    set(culprit_FOUND FALSE)
    set(culprit_NOT_FOUND_MESSAGE "${culprit_prefix}/bin/culprit is missing")
    return()
  endif()
  add_executable(culprit::program IMPORTED)
  set_target_properties(culprit::program PROPERTIES IMPORTED_LOCATION ${culprit_prefix}/bin/culprit)
  add_library(culprit::port INTERFACE IMPORTED)
  target_include_directories(culprit::port INTERFACE ${culprit_prefix}/lib/culprit/include)
endif()
set(culprit_suite_folder ${culprit_prefix}/lib/culprit/suites)

function(culprit_add_certification port)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPECT" "SUITES;PROFILES;LABELS")
  if(NOT arg_SUITES)
    file(GLOB files ${culprit_suite_folder}/*.yaml)
    foreach(file IN LISTS files)
      get_filename_component(suite ${file} NAME_WE)
      list(APPEND arg_SUITES ${suite})
    endforeach()
  endif()
  set(profiles)
  foreach(profile IN LISTS arg_PROFILES)
    list(APPEND profiles --profile ${profile})
  endforeach()
  set(expect)
  if(arg_EXPECT)
    get_filename_component(file ${arg_EXPECT} ABSOLUTE)
    set(expect --expect ${file})
  endif()
  foreach(suite IN LISTS arg_SUITES)
    add_test(NAME certify.${port}.${suite}
      COMMAND culprit::program certify $<TARGET_FILE:${port}> --suite ${suite} ${profiles} ${expect}
              --report ${CMAKE_CURRENT_BINARY_DIR}/culprit/${suite})
    # Exit code 5: nothing of the suite applies to this port; the output says why.
    set_tests_properties(certify.${port}.${suite} PROPERTIES LABELS "culprit;${arg_LABELS}" SKIP_RETURN_CODE 5 TIMEOUT 1200)
  endforeach()
endfunction()
