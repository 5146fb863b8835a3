#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of docs/driver-memory.md from recorded data, or checks that the page holds them.

What one lost object costs, from OBJECT_COST.json and SANITIZER.txt; what the run could see and how
long each verdict took, from RUN.json. With --check exit 1 unless PAGE contains both.
"""
import argparse
import json
import re
import sys

COLUMNS = [("device_memory", "device memory"), ("heap", "heap"), ("resident_memory", "resident"),
           ("mappings", "mappings"), ("file_descriptors", "descriptors"), ("threads", "threads")]
BYTES = {"device_memory", "heap", "resident_memory"}
# compute-sanitizer looked at controls of so many cycles: an error a lost object is a report.
CYCLES = 10
# Probes that are no kind of object.
MIXED = {"extractor_cycle", "extractor_faults", "thread_churn", "thread_exit", "port_cycle",
         "port_faults"}


def in_bytes(value):
    for unit in ("B", "KiB", "MiB"):
        if abs(value) < 1024 or unit == "MiB":
            if unit == "B":
                return f"{value:.0f} B" if value >= 1 or value == 0 else f"{value:.2g} B"
            return f"{value:.1f} {unit}"
        value /= 1024


def amount(resource, cost):
    if cost is None:
        return "?"
    if not cost["seen"]:
        return "-"
    return in_bytes(cost["each"]) if resource in BYTES else f"{cost['each']:.3g}"


def sanitizer(lines, probe):
    found = {}
    for line in lines:
        match = re.match(rf"{probe} (clean|leaking) rc=0 errors=(\w+) (.*)", line)
        if match:
            found[match[1]] = match[2]
    if not found.get("leaking", "none").isdigit():
        return "not measured"
    reported = "reported" if int(found["leaking"]) >= CYCLES else "silent"
    if reported == "reported" and found.get("clean") != "0":
        reported += ", and the clean loop too"
    return reported


def costs_table(cost_path, sanitizer_path):
    with open(cost_path, encoding="utf-8") as file:
        costs = json.load(file)
    with open(sanitizer_path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    rows = ["| probe | lost each cycle | " + " | ".join(title for _, title in COLUMNS) +
            " | compute-sanitizer |",
            "| --- " * (len(COLUMNS) + 3) + "|"]
    for entry in costs["objects"]:
        if entry["probe"] in MIXED:
            continue
        cells = [amount(key, entry["resources"].get(key)) for key, _ in COLUMNS]
        rows.append(f"| `{entry['probe']}` | {entry['object']} | " + " | ".join(cells) +
                    f" | {sanitizer(lines, entry['probe'])} |")
    return "\n".join(rows) + "\n"


def control_column(probe, device):
    """What the control was found to keep, and how far that is off what its arguments say."""
    control = device.get("control", {})
    planted = probe.get("planted_device_bytes")
    if control.get("verdict") != "leak":
        return "found in host memory" if planted is None else "not found"
    found = in_bytes(control["slope"])
    if planted is None:
        return found
    return f"{found}, {100 * (control['slope'] - planted) / planted:+.1f} %"


def run_table(run_path):
    with open(run_path, encoding="utf-8") as file:
        run = json.load(file)
    rows = ["| probe | clean loop | cycles | smallest leak seen, device | heap | control, device |"
            " seconds |",
            "| --- " * 7 + "|"]
    for probe in run["probes"]:
        resources = {entry["resource"]: entry for entry in probe["resources"]}
        smallest = [in_bytes(resources[key]["clean"]["detectable"]) if key in resources else "?"
                    for key in ("device_memory", "heap")]
        rows.append(f"| `{probe['probe']}` | {probe['verdict']} | {probe['cycles']} | " +
                    " | ".join(smallest) +
                    f" | {control_column(probe, resources['device_memory'])} |"
                    f" {probe['seconds']:.1f} |")
    return "\n".join(rows) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__,
                                        formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("cost")
    arguments.add_argument("sanitizer")
    arguments.add_argument("run")
    arguments.add_argument("--check", metavar="PAGE")
    given = arguments.parse_args()
    tables = [costs_table(given.cost, given.sanitizer), run_table(given.run)]
    if given.check is None:
        print("\n".join(tables), end="")
        return 0
    with open(given.check, encoding="utf-8") as file:
        page = file.read()
    missing = [table for table in tables if table not in page]
    for table in missing:
        print(f"{given.check}: a table differs from the recorded data; it should be:\n{table}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
