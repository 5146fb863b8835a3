#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numba's own CUDA tests, as Debian ships them, on the fake driver: a fixed subset of modules, with --long all of them."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import client as clients  # noqa: E402
import suite  # noqa: E402
from expectations import expected_failures  # noqa: E402

PYTHON = "/usr/bin/python3"
QUICK = ("cudadrv.test_cuda_driver", "cudadrv.test_context_stack", "cudadrv.test_events", "cudapy.test_constmem",
         "doc_examples.test_cg", "doc_examples.test_matmul", "doc_examples.test_reduction")


def cases(client):
    client.version = client.debian("python3-numba")
    toolkit = client.toolkit("lib64/libnvvm.so", "nvvm/libdevice", "lib64/libcudart.so", "lib64/libcudadevrt.a")
    home = suite.links(client.folder / "toolkit", toolkit,
                       {"nvvm/lib64/libnvvm.so": "lib64/libnvvm.so", "nvvm/libdevice": "nvvm/libdevice",
                        "lib64/libcudart.so": "lib64/libcudart.so", "lib64/libcudadevrt.a": "lib64/libcudadevrt.a"})
    environment = {
        "CUDA_HOME": str(home),
        "NVVM_IR_VER_CHK": "0",              # numba writes an older IR version than this libnvvm announces
        "NUMBA_CUDA_DEFAULT_PTX_CC": "7.5",  # the oldest that this libnvvm compiles for
        "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0",
        "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0",
    }
    client.cost("start: import numba.cuda; with the fake, a context", [PYTHON, "-c", "import numba.cuda"],
                [PYTHON, "-c", "from numba import cuda; cuda.current_context()"], environment)
    tests = pathlib.Path("/usr/lib/python3/dist-packages", *suite.PACKAGE.split("."))
    suite.run_suite(client, QUICK, suite.modules(tests, ("cudadrv", "cudapy", "doc_examples")),
                    lambda names: suite.run_modules(client, PYTHON, names, environment), expected_failures(HERE / "expected.txt"))


if __name__ == "__main__":
    clients.main("numba", cases)
