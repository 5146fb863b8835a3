#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the .ptx files of this folder from the .cu files. Needs nvcc 13.0; the files are kept so that nobody else does.
set -eu
cd "$(dirname "$0")"
nvcc="${NVCC:-/usr/local/cuda/bin/nvcc}"
for source in integers floats; do
  "$nvcc" -ptx -O3 -fmad=false -arch=compute_90 $source.cu -o $source.sm90.ptx
done
"$nvcc" -ptx -O0 -Xcicc -O0 -fmad=false -arch=compute_75 integers.cu -o integers.sm75.O0.ptx
# bfloat16 arithmetic came with compute_80.
"$nvcc" -ptx -O0 -Xcicc -O0 -fmad=false -arch=compute_80 floats.cu -o floats.sm80.O0.ptx
