#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's cuda-python (cuda.core, cuda.bindings, from PyPI) on the fake driver: session.py, with NVRTC of the toolkit."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

PACKAGES = ("cuda-bindings==13.0.3", "cuda-core==1.2.2", "numpy==2.4.6")
LINES = ["kernels compiled by NVRTC", "saxpy right, timed by events", "templates by their names right",
         "a copy on another stream after an event right", "a graph right", "closed"]


def cases(client):
    python = client.virtual_environment(*PACKAGES)
    client.version = ", ".join(PACKAGES[:2])
    toolkit = client.toolkit("lib64/libnvrtc.so")

    def body():
        run = client.run([python, HERE / "session.py"], environment={"LD_LIBRARY_PATH": str(toolkit / "lib64")}, timeout=300)
        lines = run.stdout.decode().splitlines()
        if lines != LINES:
            raise Wrong(f"ended after {lines[-1:]}: {run.stderr[-600:]}")
        # cuda.core never unloads a library, also after the last reference to it is gone.
        client.healthy(run, expected={"leak.library"})
        return "right: " + "; ".join(LINES[:-1])
    client.cost("start: import cuda.core; with the fake, a device made current", [python, "-c", "import cuda.core"],
                [python, "-c", "from cuda.core import Device; Device().set_current()"])
    client.case("streams, events, buffers, pool, NVRTC, graph", body)
    if client.options.long:
        # As found in the wild: one missing entry is called through a null pointer at exit, and a buffer is forgotten when it
        # could not be freed.
        lost = {"cuGetProcAddress_v2": {"crashed", "leak.allocation"}, "cuCtxGetCurrent": {"leak.allocation"},
                "cuMemFreeAsync": {"leak.allocation"}}
        client.case("sweep: a kernel between two copies", lambda: client.sweep(
            [python, "-W", "ignore", HERE / "short_session.py"], lost, 90,
            {"LD_LIBRARY_PATH": str(client.empty_library("libnvJitLink.so.13"))}))


if __name__ == "__main__":
    clients.main("cuda_python", cases)
