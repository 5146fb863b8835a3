#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each rule of check_requirements, on a small tree whose page breaks it."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_requirements")
HEAD = "# Rules\n\n| rule | code | suite or test | mutant |\n| --- | --- | --- | --- |\n"
CODE = "`driver/status.cc` (`ErrnoOf`)"
TEST = "`public_close` (`used`), `driver/status_test.cc`, `ctest -R status`"
TREE = {
    "reference_impl/driver/status.cc": "int ErrnoOf();\n",
    "reference_impl/driver/status_test.cc": "TEST(Status, IsNegative) {}\n",
    "reference_impl/driver/empty_test.cc": "\n",
    "reference_impl/CMakeLists.txt": "culprit_test(status_test SRCS driver/status_test.cc)\n",
    "reference_impl/mutants/mutants.yaml": "- name: kept\n  caught_by: {suite: public_close, finding: leak.stream}\n",
    "suites/public_close.yaml": "scenarios:\n  - name: used\n",
    "suites/state_free.yaml": "scenarios:\n  - name: used\n",
}


def run(code=CODE, test=TEST, mutant="`kept`"):
    page = f"{HEAD}| It holds | {code} | {test} | {mutant} |\n"
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**TREE, "docs/requirements.md": page}.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as out:
                out.write(text)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class CheckRequirementsTest(unittest.TestCase):
    def violates(self, expected, **cells):
        code, out = run(**cells)
        self.assertEqual(code, 1, out)
        self.assertIn(f"docs/requirements.md:{expected}", out)

    def test_a_page_whose_names_exist_passes(self):
        self.assertEqual(run(), (0, ""))

    def test_code_that_does_not_exist(self):
        self.violates("5: code: 'driver/gone.cc'", code="`driver/gone.cc`")

    def test_word_that_the_code_does_not_have(self):
        self.violates("5: code: 'Errno'", code="`driver/status.cc` (`Errno`)")

    def test_row_without_code(self):
        self.violates("5: code: the row names none", code="all of it")

    def test_suite_that_does_not_exist(self):
        self.violates("5: test: 'gone'", test="`public_close`, `gone`")

    def test_scenario_that_the_suite_does_not_have(self):
        self.violates("5: test: 'gone'", test="`public_close` (`gone`)")

    def test_test_file_without_a_test(self):
        self.violates("5: test: 'driver/empty_test.cc'", test="`public_close`, `driver/empty_test.cc`")

    def test_pattern_that_runs_nothing(self):
        self.violates("5: test: 'ctest -R gone'", test="`public_close`, `ctest -R gone`")

    def test_mutant_that_does_not_exist(self):
        self.violates("5: mutant: 'gone' is no mutant", mutant="`kept`, `gone`")

    def test_mutant_of_a_suite_that_the_row_does_not_name(self):
        self.violates("5: mutant: 'kept' is caught by public_close", test="`state_free`")

    def test_row_without_a_mutant_and_without_a_reason(self):
        self.violates("5: mutant: the row names none", mutant="none yet")

    def test_mutant_in_no_row(self):
        self.violates("1: mutant: 'kept' stands in no row", mutant="none: it is an exception")


if __name__ == "__main__":
    unittest.main()
