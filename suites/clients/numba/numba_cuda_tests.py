#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numba-cuda (PyPI) on the fake driver, with the tests in its package: a fixed subset of modules, with --long all of them.

Kernels are linked by the driver. nvJitLink, which numba-cuda prefers, makes machine code, which cannot run here: an empty library takes
its place on the library path, and numba-cuda then says that it is too old and uses the driver.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import client as clients  # noqa: E402
import suite  # noqa: E402
from expectations import expected_failures  # noqa: E402

PACKAGES = ("numba-cuda==0.30.4", "numba==0.68.1", "cuda-bindings==13.0.3", "cuda-core==1.2.2", "numpy==2.4.6", "pytest==9.2.0",
            "cffi==2.1.1", "filecheck==1.0.6", "ml_dtypes==0.6.0", "psutil==7.2.2")
QUICK = ("cudadrv.test_cuda_memory", "cudadrv.test_context_stack", "cudadrv.test_events", "cudapy.test_constmem", "cudapy.test_sync",
         "cudapy.test_cooperative_groups", "doc_examples.test_matmul")


def cases(client):
    python = client.virtual_environment(*PACKAGES)
    client.version = ", ".join(PACKAGES[:2])
    toolkit = client.toolkit("lib64/libnvvm.so", "nvvm/libdevice", "lib64/libnvrtc.so.13", "include/cuda_fp16.h")
    home = suite.links(client.folder / "toolkit", toolkit,
                       {"nvvm/lib64/libnvvm.so": "lib64/libnvvm.so", "nvvm/libdevice": "nvvm/libdevice", "include": "include",
                        "lib64/libcudart.so": "lib64/libcudart.so", "lib64/libcudadevrt.a": "lib64/libcudadevrt.a"})
    environment = {
        "CUDA_HOME": str(home),
        "LD_LIBRARY_PATH": f"{client.empty_library('libnvJitLink.so.13')}:{home}/nvvm/lib64:{toolkit}/lib64",
        "PYTHONWARNINGS": "ignore:libnvJitLink",  # some tests look at all that is printed
        "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0",
        "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0",
    }
    client.cost("start: import numba.cuda; with the fake, a context", [python, "-c", "import numba.cuda"],
                [python, "-c", "from numba import cuda; cuda.current_context()"], environment)
    tests = next(client.folder.glob("venv/lib/python3*/site-packages/numba_cuda/numba/cuda/tests"))
    suite.run_suite(client, QUICK, suite.modules(tests, ("cudadrv", "cudapy", "doc_examples", "nrt")),
                    lambda names: suite.run_modules(client, python, names, environment),
                    expected_failures(HERE / "expected_numba_cuda.txt"))


if __name__ == "__main__":
    clients.main("numba_cuda", cases)
