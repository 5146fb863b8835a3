#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each rule of check_layout, on a small tree that breaks it."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_layout")
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
ELSEWHERE = "/" + "home/jane/src"  # in two pieces, or this file would be a violation


def run(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in {"core/fine.cc": LICENCE, **files}.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as out:
                out.write(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class CheckLayoutTest(unittest.TestCase):
    def violates(self, path, text, expected):
        code, out = run({path: text})
        self.assertEqual(code, 1, out)
        self.assertIn(f"{path}:{expected}", out)

    def passes(self, path, text):
        code, out = run({path: text})
        self.assertEqual(code, 0, out)

    def test_licence(self):
        self.violates("core/a.cc", "int x;\n", "1: licence")

    def test_vague_name(self):
        self.violates("core/utils.cc", LICENCE, "1: name")

    def test_include_of_a_folder_that_is_not_allowed(self):
        self.violates("suites/a.cc", LICENCE + '#include "inventory/check.h"\n', "2: include")

    def test_marker_in_a_source(self):
        self.violates("core/a.cc", LICENCE + "// TO" + "DO: later\n", "2: leftover")

    def test_path_of_a_machine_in_a_source(self):
        self.violates("core/a.cc", LICENCE + f'const char* kRoot = "{ELSEWHERE}";\n', "2: leftover")

    def test_path_of_a_machine_in_testdata_and_documents(self):
        self.violates("core/testdata/kernel.ptx", f'.file 1 "{ELSEWHERE}/kernel.cu"\n', "1: leftover")
        self.violates("docs/page.md", f"Run {ELSEWHERE}/x\n", "1: leftover")

    def test_a_made_up_path_is_content(self):
        self.passes("core/testdata/trace.json", '{"file": "/home/user/src/a.c"}\n')

    def test_testdata_is_held_to_nothing_else(self):
        self.passes("core/testdata/utils.c", "/* TO" + 'DO */\n#include "../x.h"\n')

    def test_binary_files_are_no_text(self):
        self.passes("core/testdata/image.bin", b"\xff\xfe" + ELSEWHERE.encode())


if __name__ == "__main__":
    unittest.main()
