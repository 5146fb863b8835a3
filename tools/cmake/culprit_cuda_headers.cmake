# SPDX-License-Identifier: Apache-2.0
# Finds cuda.h and offers it as culprit::cuda_headers. Only headers are needed: no nvcc, no libraries.
# Order: CULPRIT_CUDA_INCLUDE, an installed toolkit, then the folder into which tools/setup unpacks NVIDIA's header wheels.
set(CULPRIT_CUDA_INCLUDE "" CACHE PATH "Folder that holds cuda.h")
find_path(culprit_cuda_h_dir cuda.h NO_CACHE
          HINTS ${CULPRIT_CUDA_INCLUDE} ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /usr/local/cuda-13.0
                ${PROJECT_SOURCE_DIR}/.deps/cuda
          PATH_SUFFIXES include)
if(NOT culprit_cuda_h_dir)
  message(FATAL_ERROR "cuda.h was not found. Run tools/setup, which installs it, or install the CUDA toolkit "
                      "(13.x), or pass -DCULPRIT_CUDA_INCLUDE=<folder that holds cuda.h>.")
endif()
file(STRINGS ${culprit_cuda_h_dir}/cuda.h culprit_cuda_version REGEX "^#define CUDA_VERSION [0-9]+")
string(REGEX REPLACE "[^0-9]" "" culprit_cuda_version "${culprit_cuda_version}")
message(STATUS "cuda.h ${culprit_cuda_version}: ${culprit_cuda_h_dir}")
if(culprit_cuda_version LESS 13000)
  message(FATAL_ERROR "${culprit_cuda_h_dir}/cuda.h is version ${culprit_cuda_version}; the fake driver is built "
                      "on 13.0 or newer. Run tools/setup or pass -DCULPRIT_CUDA_INCLUDE=<folder>.")
endif()
add_library(culprit_cuda_headers INTERFACE)
add_library(culprit::cuda_headers ALIAS culprit_cuda_headers)
target_include_directories(culprit_cuda_headers SYSTEM INTERFACE ${culprit_cuda_h_dir})
find_program(CULPRIT_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
