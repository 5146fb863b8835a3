#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch (PyPI) on the fake driver, with the project's CUDA runtime in place of NVIDIA's: session.py.

The wheel finds NVIDIA's runtime by a path of its own, so the project's is loaded before it. The kernels in the wheel are machine code and
cannot run; those that PyTorch compiles with Triton can, with assembler.c in place of ptxas.
"""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Missing, Wrong  # noqa: E402

PACKAGES = ("torch==2.12.1", "numpy==2.4.6")
GIGABYTES = 12  # 5 of the packages, and what pip needs meanwhile
LINES = ["available", "a tensor to the device, copied there, and back", "pinned memory, a stream and its events", "kernels of Triton on tensors",
         "compiled functions: softmax of rows, sums, types", "a compiled transpose",
         "a gradient through a compiled function",
         "PyTorch's own kernels: no kernel image is available for execution on the device", "cuBLAS: CUBLAS_STATUS_NOT_INITIALIZED",
         "closed"]
# PyTorch keeps its memory and streams, Triton its modules, to the end of the process.
KEPT = {"leak.allocation", "leak.host_memory", "leak.module", "leak.stream"}


def runtime_of(client):
    """The project's libcudart.so.13, on the library path of programs."""
    told = subprocess.run([client.options.culprit, "run", "--", "printenv", "LD_LIBRARY_PATH"], capture_output=True, text=True).stdout
    for folder in told.strip().split(":"):
        if pathlib.Path(folder, "libcudart.so.13").exists():
            return pathlib.Path(folder, "libcudart.so.13")
    raise Missing("the project's CUDA runtime was not built")


def cases(client):
    if not client.options.long:
        raise Missing("its wheels have 3 GB; part of the long run")
    toolkit = client.toolkit("include/cuda.h", "lib64/stubs/libcuda.so")
    runtime = runtime_of(client)
    if not (client.folder / "venv").exists() and shutil.disk_usage(client.folder).free < GIGABYTES << 30:
        raise Missing(f"less than {GIGABYTES} GB of disk are free")
    client.debian("python3-dev")
    python = client.virtual_environment(*PACKAGES)
    client.version = PACKAGES[0]
    assembler = client.assembler(toolkit, client.folder / "ptxas")
    environment = {"TRITON_PTXAS_PATH": str(assembler), "TRITON_PTXAS_BLACKWELL_PATH": str(assembler),
                   "TRITON_CACHE_DIR": str(client.folder / "triton"), "TORCHINDUCTOR_CACHE_DIR": str(client.folder / "inductor"),
                   "TORCHINDUCTOR_COMPILE_THREADS": "1"}

    def with_nvidias():
        run = client.run([python, "-W", "ignore", "-c", "import torch; print(torch.cuda.is_available())"])
        if run.stdout != b"False\n":
            raise Wrong(f"printed {run.stdout!r}: {run.stderr[-300:]}")
        asked = [f["object"][:8] for f in run.findings("note") if f["rule"] == "api.export_table"]
        return f"stops as the limitations say: no device, after NVIDIA's runtime asked for the tables {', '.join(asked)}"

    def with_ours():
        run = client.run(["env", f"LD_PRELOAD={runtime}", python, "-W", "ignore", HERE / "session.py"], environment=environment,
                         timeout=900)
        lines = run.stdout.decode().splitlines()
        if lines != LINES:
            raise Wrong(f"printed {lines}: {run.stderr[-600:]}")
        client.healthy(run, expected=KEPT)
        return "right: " + "; ".join(LINES[:-1])
    client.case("with NVIDIA's shared runtime", with_nvidias)
    client.case("with the project's runtime", with_ours)
    client.cost("start: import torch; with the fake, a tensor on the device", [python, "-c", "import torch"],
                ["env", f"LD_PRELOAD={runtime}", python, "-c", "import torch; torch.rand(3).cuda()"])


if __name__ == "__main__":
    clients.main("torch", cases)
