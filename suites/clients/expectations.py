# SPDX-License-Identifier: Apache-2.0
"""Outcomes of a test suite that somebody else wrote, held to a list.

Tests that cannot pass are listed in a file, each with its reason; one that fails without being listed, or passes although listed,
is wrong.
"""
from client import Wrong


def expected_failures(path):
    """Test name -> reason, from a file of lines `name: reason`; # starts a comment."""
    listed = {}
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        test, colon, reason = text.partition(": ")
        if not colon:
            raise SystemExit(f"{path.name}:{number}: not `test: reason`")
        listed[test.strip()] = reason.strip()
    return listed


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
