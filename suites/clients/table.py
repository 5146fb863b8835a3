#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of docs/clients.md from the rows that the client scripts left in <build>/clients.

    table.py BUILD_CLIENTS_FOLDER DOCUMENT

The document keeps its text outside the two marker lines. A client without rows keeps the part that the document has.
"""
import json
import pathlib
import re
import sys

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def entries_of(rows):
    names = {}
    for row in rows:
        for name, count in row["entries"].items():
            names[name] = names.get(name, 0) + count
    return sorted(names)


def cost_lines(costs):
    if not costs:
        return []
    lines = ["", "| cost, in processor seconds | bare program | under `culprit run` |", "| --- | --- | --- |"]
    return lines + [f"| {cost['what'].replace('|', '/')} | {cost['bare']:.2f} | {cost['under']:.2f} |" for cost in costs]


def part(client, rows, costs):
    versions = sorted({row["version"] for row in rows})
    lines = [f"### {client}", "", f"Version {', '.join(versions)}.", "", "| what ran | result | driver calls | seconds |",
             "| --- | --- | --- | --- |"]
    for row in rows:
        result = row["result"] if row["outcome"] == "right" else f"{row['outcome']}: {row['result']}"
        # A sweep counts no calls: it is many runs.
        calls = sum(row["entries"].values()) or "–"
        lines.append(f"| {row['what']} | {result.replace('|', '/')} | {calls} | {row['seconds']:.1f} |")
    lines += cost_lines(costs)
    names = entries_of(rows)
    lines += ["", f"Driver entries used ({len(names)}): " + ", ".join(f"`{name}`" for name in names) + ".", ""]
    return "\n".join(lines)


def parts_of(text):
    return {found.group(1): found.group(0).rstrip() + "\n"
            for found in re.finditer(r"^### (\S+)\n.*?(?=^### |\Z)", text, re.S | re.M)}


def main(folder, document):
    path = pathlib.Path(document)
    before, _, rest = path.read_text().partition(BEGIN)
    table, _, after = rest.partition(END)
    parts = parts_of(table)
    for rows_file in sorted(pathlib.Path(folder).glob("*.json")):
        told = json.loads(rows_file.read_text())
        rows = told["rows"]
        if rows:
            parts[rows[0]["client"]] = part(rows[0]["client"], rows, told["costs"])
    body = "\n".join(parts[name] for name in sorted(parts))
    path.write_text(f"{before}{BEGIN}\n\n{body}\n{END}{after}")


if __name__ == "__main__":
    main(*sys.argv[1:])
