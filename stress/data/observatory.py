#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the table of docs/driver-memory.md from recorded data, or checks that the page holds it.

  observatory.py OBJECT_COST.json SANITIZER.txt                 the table
  observatory.py OBJECT_COST.json SANITIZER.txt --check PAGE    exit 1 unless PAGE contains it
"""
import json
import re
import sys

COLUMNS = [("device_memory", "device memory"), ("heap", "heap"), ("resident_memory", "resident"),
           ("mappings", "mappings"), ("file_descriptors", "descriptors"), ("threads", "threads")]
BYTES = {"device_memory", "heap", "resident_memory"}
# compute-sanitizer looked at controls of so many cycles: an error a lost object is a report.
CYCLES = 10
# Probes that are no kind of object.
MIXED = {"extractor_cycle", "extractor_faults", "thread_churn", "thread_exit", "port_cycle"}


def amount(resource, cost):
    if cost is None:
        return "?"
    if not cost["seen"]:
        return "-"
    value = cost["each"]
    if resource not in BYTES:
        return f"{value:.3g}"
    for unit in ("B", "KiB", "MiB"):
        if abs(value) < 1024 or unit == "MiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024


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


def table(cost_path, sanitizer_path):
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


def main():
    text = table(sys.argv[1], sys.argv[2])
    if "--check" not in sys.argv:
        print(text, end="")
        return 0
    page = sys.argv[sys.argv.index("--check") + 1]
    with open(page, encoding="utf-8") as file:
        if text in file.read():
            return 0
    print(f"{page}: the table differs from the recorded data; it should be:\n{text}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
