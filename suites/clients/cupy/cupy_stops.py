#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CuPy (PyPI) on the fake driver: its wheel has NVIDIA's runtime linked in, and stops where that does."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

PACKAGES = ("cupy-cuda13x==14.2.0", "numpy==2.4.6")
PROGRAM = """
import cupy
try:
    print(cupy.arange(3))
except cupy.cuda.runtime.CUDARuntimeError as error:
    print(error)
"""
STOPS = "cudaErrorSymbolNotFound: named symbol not found"


def cases(client):
    python = client.virtual_environment(*PACKAGES)
    client.version = PACKAGES[0]
    toolkit = client.toolkit("lib64/libnvrtc.so")

    def body():
        run = client.run([python, "-c", PROGRAM], environment={"LD_LIBRARY_PATH": str(toolkit / "lib64")})
        if run.stdout.decode().strip() != STOPS:
            raise Wrong(f"stops elsewhere than the limitations say: {run.stdout!r} {run.stderr[-300:]}")
        asked = [f["object"][:8] for f in run.findings("note") if f["rule"] == "api.export_table"]
        return f"stops as the limitations say: cudaErrorSymbolNotFound after its static runtime asked for the tables {', '.join(asked)}"
    client.cost("start: import cupy; with the fake, the driver's version asked for", [python, "-c", "import cupy"],
                [python, "-c", "import cupy; cupy.cuda.runtime.driverGetVersion()"], {"LD_LIBRARY_PATH": str(toolkit / "lib64")})
    client.case("an array of three", body)


if __name__ == "__main__":
    clients.main("cupy", cases)
