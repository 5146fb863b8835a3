#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that stand in the CI workflow and the Kubernetes manifest, each part as its machine would, and merges.

    spread_test.py CULPRIT PORT FOLDER [option of certify...]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run(command, folder, environment):
    print("+", command, flush=True)
    return subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=environment).returncode


def verdict(report):
    return re.search(r'"verdict": "([^"]*)"', (report / "certificate.json").read_text()).group(1)


def lines_of(name, key):
    """Values of `key:` in order, on one line or folded over those that follow; no YAML library is needed for that."""
    values = []
    lines = (HERE / name).read_text().splitlines()
    for at, line in enumerate(lines):
        match = re.match(rf"\s*(?:- )?{key}: (.*)", line)
        if not match or line.lstrip().startswith("#"):
            continue
        values.append(match.group(1))
    return values


def try_ci(folder, environment):
    commands = [value for value in lines_of("github_matrix.yml", "run") if value.startswith("culprit ")]
    shards = re.search(r"shard: \[(.*)\]", (HERE / "github_matrix.yml").read_text()).group(1).split(", ")
    assert len(commands) == 2, commands
    for shard in shards:
        code = run(commands[0].replace("${{ matrix.shard }}", shard), folder, environment)
        assert code == 0, f"part {shard}: exit code {code}"
    assert run(commands[1], folder, environment) == 0
    return verdict(folder / "report")


def folded(text):
    return " ".join(line.strip() for line in text.strip().splitlines())


def try_kubernetes(folder, environment):
    text = (HERE / "kubernetes.yaml").read_text()
    part = folded(re.search(r"- >-\n(.*?)\n +resources:", text, re.S).group(1))
    whole = re.search(r"args: \['(.*)'\]", text).group(1)
    count = int(re.search(r"completions: (\d+)", text).group(1))
    assert re.search(r'CULPRIT_PARTS, value: "(\d+)"', text).group(1) == str(count)
    environment = environment | {"CULPRIT_PARTS": str(count), "CULPRIT_REPORTS": str(folder / "reports")}
    (folder / "reports").mkdir()
    for index in range(count):
        code = run(part, folder, environment | {"JOB_COMPLETION_INDEX": str(index)})
        assert code == 0, f"pod {index}: exit code {code}"
    assert run(whole, folder, environment) == 0
    return verdict(folder / "reports" / "whole")


def main():
    culprit, port, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    shutil.rmtree(folder, ignore_errors=True)
    environment = os.environ | {
        "PATH": f"{culprit.parent}:{os.environ['PATH']}",
        "CULPRIT_PORT": str(port),
        "CULPRIT_OPTIONS": " ".join(sys.argv[4:]),
    }
    for name, attempt in (("ci", try_ci), ("kubernetes", try_kubernetes)):
        (folder / name).mkdir(parents=True)
        assert attempt(folder / name, environment) == "certified", name
        print(f"{name}: certified", flush=True)


if __name__ == "__main__":
    main()
