#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numba's own CUDA tests, as Debian ships them, on the fake driver.

By default a fixed subset of modules runs; with --long all of them. Tests that cannot pass are listed in expected.txt, each
with its reason; one that fails without being listed, or passes although listed, is wrong.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

PYTHON = "/usr/bin/python3"
PACKAGE = "numba.cuda.tests"
SECONDS_PER_TEST = 400
SECONDS_PER_MODULE = 900
QUICK = ("cudadrv.test_cuda_driver", "cudadrv.test_cuda_memory", "cudadrv.test_context_stack", "cudadrv.test_events",
         "cudadrv.test_linker", "cudapy.test_constmem", "cudapy.test_print", "cudapy.test_sync", "cudapy.test_warp_ops",
         "doc_examples.test_cg", "doc_examples.test_matmul", "doc_examples.test_reduction")


def modules():
    """All test modules of the package that need a driver, by their name below the package."""
    root = pathlib.Path("/usr/lib/python3/dist-packages", *PACKAGE.split("."))
    return sorted(f"{path.parent.name}.{path.stem}" for folder in ("cudadrv", "cudapy", "doc_examples")
                  for path in (root / folder).glob("test_*.py"))


def expected_failures():
    """Test name -> reason, from expected.txt: `name: reason`, # starts a comment."""
    listed = {}
    for number, text in enumerate((HERE / "expected.txt").read_text().splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        name, colon, reason = text.partition(": ")
        if not colon:
            raise SystemExit(f"expected.txt:{number}: not `test: reason`")
        listed[name.strip()] = reason.strip()
    return listed


def toolkit_for_numba(client):
    """A folder with the toolkit's parts where numba 0.56 looks for them."""
    toolkit = client.toolkit("lib64/libnvvm.so", "nvvm/libdevice", "lib64/libcudart.so", "lib64/libcudadevrt.a")
    home = client.folder / "toolkit"
    for link, target in (("nvvm/lib64/libnvvm.so", "lib64/libnvvm.so"), ("nvvm/libdevice", "nvvm/libdevice"),
                         ("lib64/libcudart.so", "lib64/libcudart.so"), ("lib64/libcudadevrt.a", "lib64/libcudadevrt.a")):
        path = home / link
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_symlink():
            path.symlink_to(toolkit / target)
    return home


def run_modules(client, names, home):
    """Outcome of every test of the modules: name below the package -> (outcome, why)."""
    environment = {
        "CUDA_HOME": str(home),
        "NVVM_IR_VER_CHK": "0",              # numba writes an older IR version than this libnvvm announces
        "NUMBA_CUDA_DEFAULT_PTX_CC": "7.5",  # the oldest that this libnvvm compiles for
        "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0",
        "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0",
    }
    run = client.run([PYTHON, HERE / "run_tests.py", str(SECONDS_PER_TEST), PACKAGE, *names],
                     timeout=SECONDS_PER_MODULE * len(names), environment=environment, cwd=client.folder,
                     settings={"devices": str(HERE / "device.json")})  # one test takes half of the device's memory
    if not run.stdout:
        raise Wrong(f"no test ran: {run.stderr[-500:]}")
    told = [json.loads(text) for text in run.stdout.decode().splitlines()]
    return {one["test"].removeprefix(PACKAGE + "."): (one["outcome"], one["why"]) for one in told}


def verdict(outcomes, listed):
    """The row's text; raises Wrong for what is not expected."""
    counts = {}
    surprises = []
    for test, (outcome, why) in sorted(outcomes.items()):
        counts[outcome] = counts.get(outcome, 0) + 1
        if outcome == "pass" and test in listed:
            surprises.append(f"{test} passes and is listed as failing")
        elif outcome not in ("pass", "skip") and test not in listed:
            surprises.append(f"{test}: {outcome}: {why}")
    text = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items(), key=lambda item: item[0] != "pass"))
    if surprises:
        raise Wrong(text + "; " + "; ".join(surprises))
    return text


def cases(client):
    client.version = client.debian("python3-numba")
    home = toolkit_for_numba(client)
    listed = expected_failures()
    if not client.options.long:
        client.case("its CUDA tests, a fixed subset: " + ", ".join(QUICK),
                    lambda: verdict(run_modules(client, QUICK, home), listed))
        return
    total = {}
    for folder in ("cudadrv", "cudapy", "doc_examples"):
        def body(folder=folder):
            outcomes = run_modules(client, [name for name in modules() if name.startswith(folder)], home)
            for outcome, _ in outcomes.values():
                total[outcome] = total.get(outcome, 0) + 1
            return verdict(outcomes, listed)
        client.case(f"all its CUDA tests in {folder}", body)
    print("numba: all together: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(total.items())))


if __name__ == "__main__":
    clients.main("numba", cases)
