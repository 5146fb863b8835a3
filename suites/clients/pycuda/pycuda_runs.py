#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyCUDA (PyPI, built here from its source) on the fake driver: session.py and the tests that come with the source.

PyCUDA compiles with nvcc, on its own account to machine code. assembler.c stands for ptxas, so that the image holds PTX; PTX itself it
hands to the driver as it is. The source is built without optimisation, once: nothing here measures PyCUDA's own speed.
"""
import os
import pathlib
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Missing, Wrong  # noqa: E402
from expectations import expected_failures, verdict  # noqa: E402

PACKAGE = "pycuda==2026.1"
NEEDS = ("numpy==2.4.6", "pytest==9.2.0", "pytools==2026.1.1", "platformdirs==4.14.9", "mako==1.4.3")
LINES = ["a kernel of PTX, a constant and a variable of its module", "a kernel of SourceModule, with shared memory",
         "two streams, ordered by an event; pinned memory", "mapped, managed and pitched memory",
         "arrays: arithmetic, slices, functions, own element-wise, reducing and scanning kernels", "pools of device and pinned memory",
         "closed"]
SUITES = ("test_driver", "test_cumath", "test_gpuarray")
# Tests of arrays of gigabytes skip themselves on it.
DEVICE = HERE.parent / "numba" / "device.json"


def pip(python, *words, environment=None):
    command = [python, "-m", "pip", "--quiet", *words]
    made = subprocess.run([str(word) for word in command], env=dict(os.environ, **(environment or {})), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if made.returncode:
        raise Missing(f"pip {words[0]} {PACKAGE}: {(made.stderr or made.stdout).strip()[-200:]}")


def built(client, python, toolkit):
    """The wheel, and the folder of the source's tests; kept between runs."""
    folder = client.folder / "source"
    if not list(folder.glob("*.whl")):
        client.debian("python3-dev")
        quick = {"CFLAGS": "-O0 -g0 -w", "CXXFLAGS": "-O0 -g0 -w", "PATH": f"{toolkit}/bin:{os.environ['PATH']}"}
        pip(python, "download", "--no-deps", "--no-binary", "pycuda", PACKAGE, "-d", folder, environment=quick)
        source = next(folder.glob("*.tar.gz"))
        with tarfile.open(source) as archive:
            archive.extractall(folder)
        pip(python, "wheel", "--no-deps", source, "-w", folder, environment=quick)
    return next(folder.glob("*.whl")), next(folder.glob("*/test"))


def outcomes_of(client, python, tests, suite, environment):
    """Test -> (outcome, why) of one file of tests, in a process of its own."""
    told = client.folder / f"{suite}.xml"
    told.unlink(missing_ok=True)
    run = client.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tests, f"--junitxml={told}", f"{suite}.py"],
                     timeout=3600, environment=environment, settings={"devices": str(DEVICE)}, cwd=tests)
    if not told.exists():
        raise Wrong(f"ended with status {run.status}: {run.stdout[-300:]!r} {run.stderr[-300:]}")
    outcomes = {}
    for case in xml.etree.ElementTree.parse(told).iter("testcase"):
        sort = next((part for part in case if part.tag in ("failure", "error", "skipped")), None)
        outcome = "pass" if sort is None else {"failure": "fail", "skipped": "skip"}.get(sort.tag, sort.tag)
        outcomes[f"{case.get('classname')}.{case.get('name')}"] = (outcome, "" if sort is None else sort.get("message", "")[:200])
    surprising = {f["rule"] for f in run.findings("error")} - {"leak.other"}
    if surprising:
        raise Wrong(f"findings: {', '.join(sorted(surprising))}")
    return outcomes


def cases(client):
    if not client.options.long:
        raise Missing("it is built from source; part of the long run")
    toolkit = client.toolkit("bin/nvcc", "include/cuda.h", "lib64/stubs/libcuda.so", "lib64/libcurand.so")
    python = client.virtual_environment(*NEEDS)
    wheel, tests = built(client, python, toolkit)
    pip(python, "install", "--no-deps", wheel)
    client.version = PACKAGE
    home = client.toolkit_with_stand_ins(toolkit, "ptxas")
    cache = client.folder / "cache"
    cache.mkdir(exist_ok=True)
    environment = {"PATH": f"{home}/bin:{os.environ['PATH']}", "LD_LIBRARY_PATH": f"{toolkit}/lib64", "PYCUDA_CACHE_DIR": str(cache)}

    def session():
        run = client.run([python, HERE / "session.py"], environment=environment, timeout=600)
        # PyCUDA itself says where it keeps what some kernels are compiled from.
        lines = [line for line in run.stdout.decode().splitlines() if not line.startswith("*** compiler output")]
        if lines != LINES:
            raise Wrong(f"printed {lines}: {run.stderr[-600:]}")
        client.healthy(run)
        return "right: " + "; ".join(LINES[:-1])
    client.cost("start: import numpy; with the fake, pycuda.autoinit too", [python, "-c", "import numpy"],
                [python, "-c", "import pycuda.autoinit"], environment)
    client.case("kernels, streams, events, memory, arrays, pools", session)
    for suite in SUITES:
        client.case(f"its tests, {suite}", lambda suite=suite: verdict(
            outcomes_of(client, python, tests, suite, environment),
            {test: reason for test, reason in expected_failures(HERE / "expected.txt").items() if test.startswith(suite + ".")}))


if __name__ == "__main__":
    clients.main("pycuda", cases)
