#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs built by nvcc, on the fake driver: kernels through the driver API, and programs on the CUDA runtime."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

# What the fatbin holds: PTX alone, PTX beside machine code (the machine takes the PTX), unoptimised PTX.
FATBINS = {
    "PTX": ["-gencode", "arch=compute_75,code=compute_75"],
    "PTX and machine code": ["-gencode", "arch=compute_75,code=[compute_75,sm_75]"],
    "default architecture": [],
    "unoptimised": ["-G", "-gencode", "arch=compute_75,code=compute_75"],
}
CASES = ("vector_add", "reduction", "histogram", "matrix_multiply", "prefix_sum", "mandelbrot", "bitonic_sort", "printf", "assert",
         "malloc", "cooperative_groups")
# A failed assertion is what that case is about.
EXPECTED = {"assert": {"kernel.fault"}}

HELLO = ["hello from thread 0", "hello from thread 1", "all right"]
# Programs on the shared runtime: sources, options, lines that they print. Compiling takes most of the time; the quick run has QUICK.
QUICK = ("compiled apart, PTX alone", "thrust and CUB")
RUNTIME = {
    "launches, variables, managed memory, printf, heap, cooperative groups": (["runtime_program.cu"], [], HELLO),
    "the same, a default stream for each thread": (["runtime_program.cu"], ["--default-stream", "per-thread"], HELLO),
    "the same, compiled apart": (["runtime_program.cu", "half.cu"], ["-DSEPARATE", "-rdc=true"], HELLO),
    "compiled apart, PTX alone": (["runtime_program.cu", "half.cu"],
                                            ["-DSEPARATE", "-rdc=true", "-gencode", "arch=compute_90,code=compute_90"], HELLO),
    "thrust and CUB": (["algorithms.cu"], ["-gencode", "arch=compute_90,code=compute_90"],
                       ["thrust::reduce", "thrust::inclusive_scan", "thrust::sort", "thrust::sort, downwards", "thrust::unique",
                        "cub::DeviceRadixSort::SortPairs", "cub::DeviceScan::ExclusiveSum", "cub::DeviceReduce::Max"]),
}


def printed(run):
    """printf's lines from the device, whichever order blocks ran in."""
    want = sorted(f"thread {thread} of block {block} says hello, 2.500     7%" for block in (0, 1) for thread in (1, 3))
    if sorted(run.stdout.decode().split("\n")[:-1]) != want:
        raise Wrong(f"printed {run.stdout!r}")


def cases(client):
    toolkit = client.toolkit("bin/nvcc", "lib64/stubs/libcuda.so")
    nvcc = toolkit / "bin/nvcc"
    told = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
    client.version = re.search(r"V([0-9.]+)", told).group(1)
    programs = client.folder / "programs"
    client.compile([nvcc, "-std=c++17", "-cudart", "none", HERE / "programs.cc", "-o", programs, f"-L{toolkit}/lib64/stubs", "-lcuda"])

    for number, (contents, options) in enumerate(FATBINS.items()):
        fatbin = client.folder / f"kernels{number}.fatbin"

        def body(fatbin=fatbin, options=options):
            client.compile([nvcc, "-std=c++17", "-fatbin", *options, HERE / "kernels.cu", "-o", fatbin])
            for name in CASES:
                run = client.run([programs, fatbin, name])
                try:
                    client.healthy(run, EXPECTED.get(name, ()))
                    if name == "printf":
                        printed(run)
                except Wrong as wrong:
                    raise Wrong(f"{name}: {wrong}") from wrong
            return "right: " + ", ".join(CASES)
        client.case(f"driver API, fatbin of {contents}", body)

    client.cost("start: `true`; with the fake, vectors of 1,000 numbers added", ["true"],
                [programs, client.folder / "kernels0.fatbin", "vector_add"])
    client.cost("start: `true`; with the fake, a picture of 70 x 50 pixels of the Mandelbrot set", ["true"],
                [programs, client.folder / "kernels0.fatbin", "mandelbrot"])

    def stops():
        program = client.folder / "runtime_static"
        client.compile([nvcc, "-cudart", "static", HERE / "runtime_program.cu", "-o", program])
        run = client.run([program])
        if run.stdout.decode() != "cudaMalloc(&values, sizeof host): 500\n":
            raise Wrong(f"stops elsewhere than the limitations say: {run.stdout!r}")
        asked = [f["object"][:8] for f in run.findings("note") if f["rule"] == "api.export_table"]
        return f"stops as the limitations say: cudaErrorSymbolNotFound after asking for the tables {', '.join(asked)}"
    client.case("CUDA runtime, static", stops)

    for number, (what, (sources, options, lines)) in enumerate(RUNTIME.items()):
        def body(number=number, sources=sources, options=options, lines=lines):
            program = client.folder / f"runtime{number}"
            client.compile([nvcc, "-std=c++17", "-cudart", "shared", *options, *(HERE / source for source in sources), "-o", program])
            run = client.run([program])
            client.healthy(run)
            if sorted(run.stdout.decode().splitlines()) != sorted(lines):
                raise Wrong(f"printed {run.stdout!r}: {run.stderr[-300:]}")
            return "right: " + ", ".join(lines)
        if what in QUICK or client.options.long:
            client.case(f"CUDA runtime, shared: {what}", body)


if __name__ == "__main__":
    clients.main("nvcc", cases)
