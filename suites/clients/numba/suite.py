# SPDX-License-Identifier: Apache-2.0
"""What the two numba clients share: finding the test modules, running them, and holding the outcome to a list."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from client import Wrong  # noqa: E402
from expectations import verdict  # noqa: E402

PACKAGE = "numba.cuda.tests"
SECONDS_PER_TEST = 400
SECONDS_PER_MODULE = 900


def modules(root, folders):
    """All test modules in folders of the package whose files are below `root`, by their name below the package."""
    return sorted(f"{path.parent.name}.{path.stem}" for folder in folders for path in pathlib.Path(root, folder).glob("test_*.py"))


def links(home, toolkit, targets):
    """A folder with the toolkit's parts where a client looks for them: link in `home` -> path in `toolkit`."""
    for link, target in targets.items():
        path = home / link
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_symlink():
            path.symlink_to(toolkit / target)
    return home


def run_modules(client, python, names, environment):
    """Outcome of every test of the modules: name below the package -> (outcome, why)."""
    run = client.run([python, HERE / "run_tests.py", str(SECONDS_PER_TEST), PACKAGE, *names],
                     timeout=SECONDS_PER_MODULE * len(names), environment=environment, cwd=client.folder,
                     settings={"devices": str(HERE / "device.json")})  # one test takes half of the device's memory
    if not run.stdout:
        raise Wrong(f"no test ran: {run.stderr[-500:]}")
    told = [json.loads(text) for text in run.stdout.decode().splitlines()]
    return {one["test"].removeprefix(PACKAGE + "."): (one["outcome"], one["why"]) for one in told}


def run_suite(client, quick, all_modules, outcomes_of, listed):
    """The cases: the fixed subset `quick`, or with --long every folder of tests. `outcomes_of(names)` runs modules."""
    if not client.options.long:
        client.case("its CUDA tests, a fixed subset: " + ", ".join(quick), lambda: verdict(outcomes_of(quick), listed))
        return
    for folder in dict.fromkeys(name.partition(".")[0] for name in all_modules):
        names = [name for name in all_modules if name.startswith(folder + ".")]
        client.case(f"all its CUDA tests in {folder}", lambda names=names: verdict(outcomes_of(names), listed))
