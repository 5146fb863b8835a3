# SPDX-License-Identifier: Apache-2.0
# The vocabulary every CMakeLists.txt of the project is written in.
#
#   culprit_library(name SRCS ... [DEPS ...] [SEPARATE])  static library, alias culprit::name; with CULPRIT_UNITY its sources are
#                                                     compiled several at a time, unless SEPARATE
#   culprit_test(name SRCS ... [DEPS ...] [LABELS ...])   GoogleTest program; each test is a CTest case
#   culprit_benchmark(name SRCS ... [DEPS ...])       Google Benchmark program in bin/
#   culprit_fuzzer(name SRCS ... [DEPS ...])          libFuzzer program, only with CULPRIT_FUZZ
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

add_library(culprit_build INTERFACE)
add_library(culprit::build ALIAS culprit_build)
target_compile_features(culprit_build INTERFACE cxx_std_20)
target_compile_options(culprit_build INTERFACE -Wall -Wextra $<$<BOOL:${CULPRIT_WERROR}>:-Werror>
                       -fno-omit-frame-pointer)
target_include_directories(culprit_build INTERFACE ${PROJECT_SOURCE_DIR})
if(CULPRIT_SANITIZER)
  target_compile_options(culprit_build INTERFACE -fsanitize=${CULPRIT_SANITIZER} -fno-sanitize-recover=all)
  # Also of programs that are compiled as a user's are: the driver that they load brings the sanitizer, which wants to be there
  # before everything else.
  add_link_options(-fsanitize=${CULPRIT_SANITIZER})
  if(CULPRIT_SANITIZER MATCHES undefined)
    # Callers of a driver pass whatever they like as a CUresult or a flag; that it is no enumerator is for the driver to say.
    target_compile_options(culprit_build INTERFACE -fno-sanitize=enum)
  endif()
endif()
if(CULPRIT_FUZZ)
  target_compile_options(culprit_build INTERFACE -fsanitize=fuzzer-no-link)
endif()

# GoogleTest's headers, read once for all test programs.
if(CULPRIT_UNITY)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/googletest.cc CONTENT "")
  add_library(culprit_googletest OBJECT ${PROJECT_BINARY_DIR}/googletest.cc)
  set_target_properties(culprit_googletest PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(culprit_googletest PRIVATE -O0 -fPIE -fpch-preprocess)  # as what is linked into a program is compiled
  target_link_libraries(culprit_googletest PRIVATE culprit::build GTest::gmock)
  target_precompile_headers(culprit_googletest PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
endif()

function(culprit_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SEPARATE" "" "SRCS;DEPS")
  add_library(${name} STATIC ${arg_SRCS})
  if(CULPRIT_UNITY AND NOT arg_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  add_library(culprit::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC culprit::build ${arg_DEPS})
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

function(culprit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SRCS;DEPS;LABELS")
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  add_executable(${name} ${arg_SRCS})
  target_link_libraries(${name} PRIVATE culprit::build ${arg_DEPS} GTest::gmock GTest::gtest_main)
  if(CULPRIT_UNITY)
    target_precompile_headers(${name} REUSE_FROM culprit_googletest)
    # What a test program itself computes is little. The second option lets ccache see what was precompiled.
    target_compile_options(${name} PRIVATE -O0 -fpch-preprocess)
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300 DISCOVERY_TIMEOUT 60
                       DISCOVERY_MODE PRE_TEST)
endfunction()

function(culprit_benchmark name)
  if(NOT CULPRIT_BENCHMARKS)
    return()
  endif()
  find_package(benchmark REQUIRED)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SRCS;DEPS")
  add_executable(${name} ${arg_SRCS})
  target_link_libraries(${name} PRIVATE culprit::build ${arg_DEPS} benchmark::benchmark_main)
endfunction()

function(culprit_fuzzer name)
  if(NOT CULPRIT_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SRCS;DEPS")
  add_executable(${name} ${arg_SRCS})
  target_link_libraries(${name} PRIVATE culprit::build ${arg_DEPS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
