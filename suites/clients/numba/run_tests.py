# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of modules, unittest's cases and plain functions, one by one and prints a JSON line for each, with a time limit per test.

    run_tests.py LIMIT_SECONDS PACKAGE MODULE...

Each module runs in a child of its own, forked after numba was imported and before the driver was initialised: a crash or a hang
ends only that child, and the module goes on in a new one with the tests that are left. So it does after a test that did not pass,
since an error of the device stays with a process.
"""
import inspect
import io
import json
import os
import sys
import threading
import time
import unittest

import numba.cuda.testing  # noqa: F401  imported once, for all children

HUNG = 3
AFTER_FAILURE = 4


def flat(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


class Function(unittest.FunctionTestCase):
    """A test that is a function of its module, as pytest finds it."""

    def __init__(self, function):
        super().__init__(function)
        self.name = f"{function.__module__}.{function.__name__}"

    def id(self):
        return self.name


def functions_of(module):
    """The tests of an imported module that are no methods. Those with parameters are no tests, or need fixtures."""
    return [Function(found) for name, found in vars(sys.modules[module]).items()
            if name.startswith("test_") and inspect.isfunction(found) and found.__module__ == module
            and not inspect.signature(found).parameters]


def last_line(text):
    told = [part for part in text.strip().splitlines() if part.strip()]
    return told[-1][:300] if told else ""


def outcome_of(result):
    for kind, name in ((result.errors, "error"), (result.failures, "fail"), (result.skipped, "skip")):
        if kind and "Skipped: " in last_line(kind[0][1]):  # pytest's way to skip
            return "skip", last_line(kind[0][1]).partition("Skipped: ")[2]
        if kind:
            return name, kind[0][1] if name == "skip" else last_line(kind[0][1])
    if result.unexpectedSuccesses:
        return "fail", "unexpected success"
    return "pass", ""


def run_module(module, limit, done, lines):
    """In the child: every test of the module that is not in `done`."""
    def line(**told):
        lines.write(json.dumps(told) + "\n")
        lines.flush()

    def too_late(test):
        line(test=test, outcome="timeout", why=f"ran longer than {limit:g} s")
        os._exit(HUNG)

    try:
        tests = unittest.defaultTestLoader.loadTestsFromName(module)
    except BaseException as gone:  # pytest skips a whole module so
        if type(gone).__name__ != "Skipped":
            raise
        line(test=module, outcome="skip", why=str(gone))
        return
    for case in [*flat(tests), *functions_of(module)]:
        test = case.id()
        if test in done:
            continue
        line(started=test)
        watchdog = threading.Timer(limit, too_late, [test])
        watchdog.daemon = True
        watchdog.start()
        began = time.monotonic()
        result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(unittest.TestSuite([case]))
        watchdog.cancel()
        outcome, why = outcome_of(result)
        line(test=test, outcome=outcome, why=why, seconds=round(time.monotonic() - began, 2))
        if outcome not in ("pass", "skip"):
            sys.stdout.flush()
            sys.exit(AFTER_FAILURE)


def all_of(module, limit, out):
    """In the parent: children until every test of the module has its line."""
    done = set()
    while True:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            run_module(module, limit, done, os.fdopen(write, "w"))
            sys.stdout.flush()
            sys.exit(0)
        os.close(write)
        started = None
        for text in os.fdopen(read):
            told = json.loads(text)
            if "started" in told:
                started = told["started"]
                continue
            done.add(told["test"])
            started = None
            print(text, end="", file=out, flush=True)
        _, status = os.waitpid(child, 0)
        if started is not None and started not in done:
            why = f"ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"ended with {status >> 8}"
            done.add(started)
            print(json.dumps({"test": started, "outcome": "crash", "why": why}), file=out, flush=True)
        elif status >> 8 not in (HUNG, AFTER_FAILURE):
            if status:
                print(json.dumps({"test": module, "outcome": "crash", "why": f"ended with status {status}"}), file=out, flush=True)
            return


if __name__ == "__main__":
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what tests print does not mix with the lines
    for name in sys.argv[3:]:
        all_of(f"{sys.argv[2]}.{name}", float(sys.argv[1]), results)
