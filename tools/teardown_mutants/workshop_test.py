#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what a mutant is put to."""
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import workshop  # noqa: E402


def mutant(file, port="ReferencePort"):
    return types.SimpleNamespace(file=file, port=port)


class WorkshopTest(unittest.TestCase):
    def test_orders_are_for_what_every_extractor_uses(self):
        self.assertTrue(workshop.has_orders(mutant("reference_impl/extractor/cuda_extractor.cc")))
        self.assertTrue(workshop.has_orders(mutant("reference_impl/resource/stream.cc")))
        self.assertFalse(workshop.has_orders(mutant("reference_impl/extractor/adm/adm_cuda.cc")))
        self.assertFalse(workshop.has_orders(mutant("reference_impl/callers/pipeline.cc", "CallersPort")))

    def test_only_sources_of_contexts_meet_the_suite_on_contexts(self):
        self.assertIn(workshop.CONTEXT_SUITE, workshop.suites_for("ReferencePort", "reference_impl/resource/context_guard.cc"))
        self.assertNotIn(workshop.CONTEXT_SUITE, workshop.suites_for("ReferencePort", "reference_impl/resource/stream.cc"))
        self.assertEqual(workshop.suites_for("CallersPort", "reference_impl/resource/context.cc"), ("callers",))


if __name__ == "__main__":
    unittest.main()
