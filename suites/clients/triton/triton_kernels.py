#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Triton (PyPI) on the fake driver, without PyTorch: its driver, its compiler and three kernels.

Triton always has its kernels assembled. assembler.c stands for ptxas, so that the image holds PTX, of the driver's release.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Missing, Wrong  # noqa: E402

PACKAGES = ("triton==3.9.0", "cuda-bindings==13.0.3", "numpy==2.4.6")
LINES = ["vectors added", "softmax of rows", "running sums", "closed"]


def cases(client):
    if not client.options.long:
        raise Missing("its wheel has 290 MB; part of the long run")
    toolkit = client.toolkit("include/cuda.h", "lib64/stubs/libcuda.so")
    python = client.virtual_environment(*PACKAGES)
    client.version = PACKAGES[0]
    assembler = client.assembler(toolkit, client.folder / "ptxas")
    environment = {"TRITON_PTXAS_PATH": str(assembler), "TRITON_PTXAS_BLACKWELL_PATH": str(assembler),
                   "TRITON_CACHE_DIR": str(client.folder / "cache")}

    def body():
        run = client.run([python, "-W", "ignore", HERE / "session.py"], environment=environment, timeout=300)
        lines = run.stdout.decode().splitlines()
        if lines != LINES:
            raise Wrong(f"ended after {lines[-1:]}: {run.stderr[-600:]}")
        # Triton keeps the modules of its kernels to the end of the process.
        client.healthy(run, expected={"leak.module"})
        return "right: " + "; ".join(LINES[:-1])
    client.cost("start: import triton; with the fake, its driver asked for the device", [python, "-c", "import triton"],
                [python, "-c", "import triton; triton.runtime.driver.active.get_current_target()"], environment)
    client.case("its driver; kernels that add, reduce, scan", body)


if __name__ == "__main__":
    clients.main("triton", cases)
