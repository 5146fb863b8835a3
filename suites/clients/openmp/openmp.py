#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LLVM's OpenMP offloading to CUDA (Debian: clang-14, libomp-14-dev) on the fake driver: target regions.

clang 14 embeds machine code only, which ptxas and nvlink make. assembler.c stands for both, so that the image holds PTX. The program, the
plugin (libomptarget.rtl.cuda) and the device's OpenMP runtime are LLVM's.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

LINES = ["a loop over an array", "a reduction", "data that stays on the device"]
RUNTIME = "/usr/lib/llvm-14/lib"


def cases(client):
    client.version = client.debian("clang-14")
    client.debian("libomp-14-dev")
    toolkit = client.toolkit("include/cuda.h", "lib64/stubs/libcuda.so", "nvvm/libdevice")
    home = client.toolkit_with_stand_ins(toolkit, "ptxas", "nvlink")

    on_host = client.folder / "regions_on_host"
    client.compile(["clang-14", "-O1", "-fopenmp", "-DON_HOST", HERE / "regions.c", "-o", on_host])
    for level in ("-O1", "-O3", "-O0"):
        def body(level=level):
            program = client.folder / f"regions{level}"
            compiler = client.run(["clang-14", level, "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda", "-Xopenmp-target", "-march=sm_75",
                                   f"--cuda-path={home}", HERE / "regions.c", "-o", program])
            if not program.exists():
                raise Wrong(f"does not compile: {compiler.stderr[-400:]}")
            run = client.run([program], environment={"LD_LIBRARY_PATH": RUNTIME})
            client.healthy(run)
            if run.stdout.decode().splitlines() != LINES:
                raise Wrong(f"printed {run.stdout!r}: {run.stderr[-300:]}")
            return "right: " + ", ".join(LINES)
        client.case(f"target regions, compiled with {level}", body)
    client.cost("work: the regions on the host; with the fake, on the device, compiled with -O1", [on_host], [client.folder / "regions-O1"],
                {"LD_LIBRARY_PATH": RUNTIME})


if __name__ == "__main__":
    clients.main("openmp", cases)
