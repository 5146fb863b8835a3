# SPDX-License-Identifier: Apache-2.0
"""What every client script shares: packages, a run under `culprit run`, a verdict, a row of the table.

A client is somebody else's program. A script names its cases; each case runs the program, unmodified, on the fake driver
and raises `Wrong` where a result is not what it must be. A finding of severity error on a healthy program fails the case as
well, unless the script expects it and says why. Every case leaves one row in <build>/clients/<client>.json, and so does every
measurement of what the fake costs; table.py writes docs/clients.md from them.

Exit status: 0 all right, 1 something was wrong, 77 skipped with a reason.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77


class Wrong(Exception):
    """A result differs from what it must be."""


class Missing(Exception):
    """Something the client needs cannot be had here; the reason is the message."""


@dataclasses.dataclass
class Run:
    """One program that ended: its output and what the fake driver reported."""

    status: int
    stdout: bytes
    stderr: str
    seconds: float
    reports: list

    def calls(self):
        return sum(report["calls"] for report in self.reports)

    def entries(self):
        names = {}
        for report in self.reports:
            for name, count in report.get("entries", {}).items():
                names[name] = names.get(name, 0) + count
        return names

    def findings(self, severity):
        return [f for report in self.reports for f in report["findings"] if f["severity"] == severity]

    def not_modelled(self):
        return {m["entry"] for report in self.reports for m in report["not_modelled"]}


class Client:
    """One client: where things are, and the rows of its cases."""

    def __init__(self, name):
        parser = argparse.ArgumentParser()
        parser.add_argument("--culprit", required=True, type=pathlib.Path, help="the culprit command")
        parser.add_argument("--build", required=True, type=pathlib.Path, help="folder for rows and what is installed")
        parser.add_argument("--long", action="store_true", help="everything, not only the quick subset")
        parser.add_argument("--case", action="append", help="only cases whose name holds this")
        self.options = parser.parse_args()
        self.options.culprit, self.options.build = self.options.culprit.resolve(), self.options.build.resolve()
        self.name = name
        self.version = ""
        self.rows = []
        self.costs = []
        self.folder = self.options.build / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.unexpected = 0
        self._entries = {}
        self._seconds = 0.0

    # ---- what must be there -------------------------------------------------------------------------------------------

    def debian(self, package):
        """Version of a Debian package, installed now if that is possible without asking."""
        version = _installed(package)
        if not version:
            as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
            if not shutil.which("apt-get") or (as_root and not shutil.which("sudo")):
                raise Missing(f"{package} is not installed and cannot be installed here")
            environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
            command = as_root + ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
            for attempt in (command, as_root + ["apt-get", "update", "-qq"], command):
                if subprocess.run(attempt, env=environment, stdin=subprocess.DEVNULL, capture_output=True).returncode:
                    continue
                if _installed(package):
                    break
            version = _installed(package)
        if not version:
            raise Missing(f"the Debian package {package} could not be installed")
        return version

    def toolkit(self, *wanted):
        """Folder of a CUDA toolkit that holds all of `wanted`."""
        for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
            if folder and all(pathlib.Path(folder, name).exists() for name in wanted):
                return pathlib.Path(folder)
        raise Missing("no CUDA toolkit with " + ", ".join(wanted))

    def virtual_environment(self, *packages):
        """The Python of a virtual environment below the build folder that has these packages from PyPI."""
        folder = self.folder / "venv"
        python, done = folder / "bin" / "python3", folder / "packages.txt"
        wanted = "\n".join(packages)
        if not done.exists() or done.read_text() != wanted:
            for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-q", *packages]):
                made = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
                if made.returncode:
                    raise Missing(f"{' '.join(packages)} could not be installed: {(made.stderr or made.stdout).strip()[-200:]}")
            done.write_text(wanted)
        return python

    def empty_library(self, name):
        """A folder with a shared library that has nothing in it: who finds it first does without the real one."""
        folder = self.folder / "empty"
        folder.mkdir(exist_ok=True)
        self.compile(["cc", "-shared", "-x", "c", "/dev/null", "-o", folder / name])
        return folder

    def compile(self, command):
        """Runs a compiler."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode:
            raise Wrong(f"does not compile: {done.stderr[-500:]}")

    def assembler(self, toolkit, program):
        """Builds assembler.c as `program`: stands for ptxas and nvlink where a compiler insists on making machine code."""
        source = pathlib.Path(__file__).resolve().parent / "assembler.c"
        self.compile(["cc", "-O1", f"-I{toolkit}/include", source, "-o", program, f"-L{toolkit}/lib64/stubs", "-lcuda"])
        return program

    def toolkit_with_stand_ins(self, toolkit, *names):
        """A toolkit's folder as compilers look for it, with assembler.c in place of these programs of its own."""
        home = self.folder / "toolkit"
        (home / "bin").mkdir(parents=True, exist_ok=True)
        parts = ["include", "lib", "lib64", "nvvm", "targets", "version.json"]
        for name in parts + [f"bin/{path.name}" for path in (toolkit / "bin").glob("*") if path.name not in names]:
            if (toolkit / name).exists() and not (home / name).is_symlink():
                (home / name).symlink_to(toolkit / name)
        for name in names:
            self.assembler(toolkit, home / "bin" / name)
        return home

    # ---- running ------------------------------------------------------------------------------------------------------

    def run(self, program, timeout=120, environment=None, policy="timed", settings=None, cwd=None):
        """Runs a program on the fake driver. `settings`: settings of the fake, by name."""
        variables = dict(os.environ, **(environment or {}))
        if settings:
            variables["CULPRIT_SETTINGS"] = json.dumps(settings)
        with tempfile.TemporaryDirectory() as scratch:
            report = pathlib.Path(scratch, "report.json")
            command = [self.options.culprit, "run", "--policy", policy, "--report", report, "--"] + list(program)
            started = time.monotonic()
            try:
                ended = subprocess.run([str(word) for word in command], env=variables, stdin=subprocess.DEVNULL,
                                       capture_output=True, timeout=timeout, cwd=cwd)
            except subprocess.TimeoutExpired as late:
                raise Wrong(f"did not end in {timeout} seconds") from late
            reports = json.loads(report.read_text()) if report.exists() else []
            run = Run(ended.returncode, ended.stdout, ended.stderr.decode(errors="replace"),
                      time.monotonic() - started, reports)
        for name, count in run.entries().items():
            self._entries[name] = self._entries.get(name, 0) + count
        self._seconds += run.seconds
        return run

    def healthy(self, run, expected=()):
        """The program ended well, used the driver, and nothing was found on it but the `expected` rules."""
        if run.status not in (0, 1) or (run.status == 1 and not run.findings("error")):
            raise Wrong(f"ended with status {run.status}: {run.stderr[-600:]}")
        if run.calls() == 0:
            raise Wrong("made no driver call")
        surprising = [f for f in run.findings("error") if f["rule"] not in expected]
        if surprising:
            first = surprising[0]
            raise Wrong(f"{len(surprising)} findings, the first: {first['rule']}: {first['message']}")
        if run.not_modelled():
            raise Wrong("calls entries that are not modelled: " + ", ".join(sorted(run.not_modelled())))

    # ---- cost -----------------------------------------------------------------------------------------------------------

    def cost(self, what, bare, command, environment=None):
        """Leaves a row of the table of costs: processor seconds of `bare`, the program without CUDA, and of `command` under
        `culprit run`; the least of three runs each."""
        if self.options.case:
            return
        variables = dict(os.environ, **(environment or {}))
        under = [self.options.culprit, "run", "--", *command]
        seconds = [min(_processor_seconds(program, variables) for _ in range(3)) for program in (bare, under)]
        self.costs.append({"client": self.name, "what": what, "bare": round(seconds[0], 2), "under": round(seconds[1], 2)})

    # ---- sweeps ---------------------------------------------------------------------------------------------------------

    def sweep(self, program, expected, seconds_per_run, environment=None):
        """Fails each driver call of the program once and answers the row's text. `expected`: entry -> rules that its failure
        may break, or "crashed"; any other defect is wrong."""
        folder = self.folder / "sweep"
        shutil.rmtree(folder, ignore_errors=True)
        command = [self.options.culprit, "sweep", "--timeout", seconds_per_run, "--report", folder, "--", *program]
        started = time.monotonic()
        subprocess.run([str(word) for word in command], env=dict(os.environ, **(environment or {})), stdin=subprocess.DEVNULL,
                       capture_output=True)
        self._seconds += time.monotonic() - started
        if not (folder / "sweep.json").exists():
            raise Wrong("the sweep did not come to its end")
        told = json.loads((folder / "sweep.json").read_text())
        counts, defects = {}, {}
        for case in told["cases"]:
            counts[case["consequence"]] = counts.get(case["consequence"], 0) + 1
            entry, rules = case["fault"]["entry"], set(case.get("new_errors", ()))
            if case["consequence"] in ("crashed", "hung"):
                rules.add(case["consequence"])
            if not rules <= set(expected.get(entry, ())):
                raise Wrong(f"{case['consequence']} when {entry} #{case['fault']['nth']} failed: {', '.join(sorted(rules))}")
            if rules:
                defects[entry] = defects.get(entry, 0) + 1
        text = f"{len(told['cases'])} calls failed once each: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        return text + ("; defects after " + ", ".join(f"{name} ({count})" for name, count in sorted(defects.items())) if defects else "")

    # ---- cases --------------------------------------------------------------------------------------------------------

    def case(self, what, body):
        """Runs one case. The body returns a remark for the table, or None."""
        if self.options.case and not any(part in what for part in self.options.case):
            return
        self._entries, self._seconds = {}, 0.0
        try:
            result, outcome = body() or "right", "right"
        except Wrong as wrong:
            result, outcome = str(wrong), "wrong"
            self.unexpected += 1
        except Missing as missing:
            result, outcome = str(missing), "skipped"
        self.rows.append({"client": self.name, "version": self.version, "what": what, "outcome": outcome, "result": result,
                          "seconds": round(self._seconds, 2), "entries": self._entries})
        print(f"{self.name}: {what}: {outcome if outcome == result else outcome + ': ' + result}"
              f" ({self._seconds:.1f} s, {sum(self._entries.values())} calls)", flush=True)

    def finish(self):
        if self.rows and not self.options.case:
            told = {"rows": self.rows, "costs": self.costs}
            (self.options.build / f"{self.name}.json").write_text(json.dumps(told, indent=1) + "\n")
        if self.unexpected:
            return 1
        return 0 if any(row["outcome"] == "right" for row in self.rows) else SKIPPED


def main(name, cases):
    """Entry point of a client script: `cases(client)` runs them."""
    client = Client(name)
    try:
        cases(client)
    except Missing as missing:
        print(f"{name}: SKIPPED: {missing}")
        sys.exit(SKIPPED)
    sys.exit(client.finish())


def _processor_seconds(command, environment):
    """Of a program and what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    # 1 is the word of `culprit run` for findings, which are judged elsewhere.
    if ran.returncode not in (0, 1):
        raise Wrong(f"{command[0]} ended with {ran.returncode} while its time was measured: {ran.stderr.decode(errors='replace')[-300:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _installed(package):
    query = subprocess.run(["dpkg-query", "-W", "-f", "${Status} ${Version}", package], capture_output=True, text=True)
    status, _, version = query.stdout.rpartition(" ")
    return version if status == "install ok installed" else ""
