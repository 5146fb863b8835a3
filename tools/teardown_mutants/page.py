# SPDX-License-Identifier: Apache-2.0
"""Prints docs/teardown_mutants.md."""
import collections

PATH = "docs/teardown_mutants.md"
_OPERATORS = ("remove", "duplicate", "swap")
_HEAD = """# Mutated teardown

The reference's sources hold {sites} calls that tear something down, error paths included: driver calls of the functions that
release, and calls of an owner's `Close`, `Release`, `Prepare`, `Destroy`, `Free` and `Leave`. Each is removed (it counts as
done), made twice, and exchanged with the next of its function, one change at a time, and the suites on teardown and errors run until
the first finding. Nobody chose these {mutants} mutants; [those of known defects](mutants.md) are another list.

```sh
cmake --build build/release --target teardown_mutants_record    # runs all of them and writes this page anew
ctest -R teardown_mutants                                       # a sample; with the label `long` all, against the record
```

What a mutant is certified with is a port of few extractors, and the suites are those that `workshop.py` lists, under r580. What they let
pass of the sources that every extractor uses is put to [the orders](interleavings.md) of a worker's threads, with each driver call failing.
A mutant that survived has a reason below, or the test `teardown_mutants.page` fails. The found result is that of the first
finding; another suite may have one, too.

| change | mutants | killed | survived | not compiled | not run yet |
| --- | --- | --- | --- | --- | --- |
"""


def _cell(text):
    return text.replace("|", "\\|")


def _totals(mutants, record):
    lines = []
    for operator in (*_OPERATORS, "all"):
        fates = collections.Counter(record[m.key].fate for m in mutants if operator in ("all", m.operator) and m.key in record)
        cells = (operator, sum(fates.values()), fates["killed"], fates["survived"], fates["not compiled"],
                 fates["not run"])
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |\n")
    return "".join(lines)


def _killers(mutants, record):
    """suite, number, findings"""
    by_suite = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        outcome = record.get(mutant.key)
        if outcome and outcome.fate == "killed":
            by_suite[outcome.suite][outcome.finding] += 1
    lines = ["\n| suite with the first finding | mutants | findings |\n| --- | --- | --- |\n"]
    for suite, findings in sorted(by_suite.items()):
        listed = ", ".join(f"`{name}` {count}" for name, count in sorted(findings.items()))
        lines.append(f"| `{suite}` | {sum(findings.values())} | {listed} |\n")
    return "".join(lines)


def _survivors(mutants, reasons):
    known = {mutant.key: mutant for mutant in mutants}
    lines = ["\n## Survivors\n"]
    for reason, keys in reasons:
        lines.append(f"\n{reason.strip()}\n\n| source | function | change | call |\n| --- | --- | --- | --- |\n")
        for key in keys:
            mutant = known.get(key)
            if mutant:
                lines.append(f"| `{_short(mutant)}` | `{mutant.function}` | {mutant.operator} | `{_cell(mutant.text)}` |\n")
    return "".join(lines)


def _short(mutant):
    return mutant.file.removeprefix("reference_impl/")


def _all(mutants, record):
    lines = ["\n## Every mutant\n"]
    file = None
    for mutant in mutants:
        outcome = record.get(mutant.key)
        if outcome is None:
            continue
        if mutant.file != file:
            file = mutant.file
            lines.append(f"\n`{_short(mutant)}`\n\n| function | change | call | result |\n| --- | --- | --- | --- |\n")
        result = f"`{outcome.suite}`: `{outcome.finding}`" if outcome.fate == "killed" else outcome.fate
        lines.append(f"| `{mutant.function}` | {mutant.operator} | `{_cell(mutant.text)}` | {result} |\n")
    return "".join(lines)


def text(mutants, record, reasons):
    sites = sum(mutant.operator == "remove" for mutant in mutants)
    return (_HEAD.format(sites=sites, mutants=len(mutants)) + _totals(mutants, record) + _killers(mutants, record)
            + _survivors(mutants, reasons) + _all(mutants, record))
