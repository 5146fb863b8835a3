#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the .ptx files of this folder from the .cu files. Needs nvcc 13.0; the files are kept so that nobody else does.
set -eu
cd "$(dirname "$0")"
nvcc="${NVCC:-/usr/local/cuda/bin/nvcc}"
"$nvcc" -ptx -O3 -fmad=false -lineinfo -arch=compute_80 speed.cu -o speed.sm80.ptx
for source in algorithms.cu; do
  name="${source%.cu}"
  "$nvcc" -ptx -O3 -fmad=false -lineinfo -arch=compute_80 "$source" -o "$name.sm80.ptx"
  "$nvcc" -ptx -O0 -Xcicc -O0 -fmad=false -arch=compute_75 "$source" -o "$name.sm75.O0.ptx"
  "$nvcc" -ptx -O3 -fmad=false -arch=compute_90 "$source" -o "$name.sm90.ptx"
done
include="$(dirname "$nvcc")/../include/cccl"
for arch in 80 90; do
  "$nvcc" -ptx -O3 -fmad=false -std=c++17 -I"$include" -arch=compute_$arch groups.cu -o groups.sm$arch.ptx
done
