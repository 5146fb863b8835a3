#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of how teardown calls are found and changed."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sites  # noqa: E402
from cpp_source import Source  # noqa: E402

DESTROYING = {"cuStreamDestroy"}
OWNER = """#include "x.h"
namespace n {
// stream_.Close() in a comment is no call
Status Owner::Close() {
  FirstError first;
  first.Note(stream_.Close());
  for (Buffer& plane : planes_) first.Note(plane.Close());
  pool.Release(slot);
  return context_->Release();
}
Status Quiesce(const Driver& driver) {
  Status quiet = driver.cuStreamSynchronize(s);
  return driver.cuStreamDestroy(s);
}
Status Wait(const Driver& driver) { return driver.cuStreamSynchronize(s); }
}
"""


class Sites(unittest.TestCase):
    def setUp(self):
        self.source = Source(OWNER)
        self.sites = sites.sites_of("x.cc", self.source, DESTROYING)

    def test_calls_of_owners_and_of_functions_that_destroy_are_sites(self):
        self.assertEqual([(site.function, site.text) for site in self.sites],
                         [("Owner::Close", "stream_.Close()"), ("Owner::Close", "plane.Close()"),
                          ("Owner::Close", "context_->Release()"),
                          ("Quiesce", "driver.cuStreamSynchronize(s)"), ("Quiesce", "driver.cuStreamDestroy(s)")])

    def test_a_statement_includes_its_loop(self):
        self.assertEqual(OWNER[slice(*self.sites[1].statement)], "for (Buffer& plane : planes_) first.Note(plane.Close());")

    def test_lines_are_those_of_the_file(self):
        self.assertEqual(self.sites[0].line, 6)

    def test_whole_statements_change_places_where_a_loop_variable_is_used(self):
        changed = sites.apply(OWNER, sites._swap(self.sites[0], self.sites[1], self.source))
        self.assertIn("planes_) first.Note(plane.Close());\n  first.Note(stream_.Close());", changed)

    def test_else_the_calls_do(self):
        changed = sites.apply(OWNER, sites._swap(self.sites[3], self.sites[4], self.source))
        self.assertIn("quiet = driver.cuStreamDestroy(s);\n  return driver.cuStreamSynchronize(s);", changed)


if __name__ == "__main__":
    unittest.main()
