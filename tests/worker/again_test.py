# tests/worker/again_test.py: a case that another cause touched runs again without what that cause needs, and has a verdict of its own.
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

STRIDES = "c-abi/strides/any-layout-is-honoured"
ALONE = "c-abi/data/byte-offset-has-64-bits"  # has nothing else to look at


def mutant(name, *more):
    ran = program.run("mutants", name, "--json", *more)
    assert ran.status == 0, ran.err
    return json.loads(ran.out)[0]


class ACaseThatAnotherCauseTouched(unittest.TestCase):
    def test_is_judged_without_what_that_cause_needs(self):
        row = mutant("ignores-byte-offset")
        self.assertEqual([cause["rule"] for cause in row["causes"]], ["C-DATA-01"])
        self.assertIn(STRIDES, row["killed_by"])
        self.assertNotIn(STRIDES, row["blocked"])
        self.assertLess(len(row["blocked"]), len(row["killed_by"]) // 4)

    def test_stays_blocked_where_it_has_nothing_else_to_look_at(self):
        self.assertIn(ALONE, mutant("ignores-byte-offset")["blocked"])

    def test_stays_blocked_where_plain_exchanges_show_the_cause(self):
        self.assertIn(STRIDES, mutant("never-releases")["blocked"])

    def test_passes_after_it_has_died_of_it(self):
        ran, results = program.judge("with_offset:segfault", select=[STRIDES, ALONE])
        self.assertEqual(ran.status, 1, ran.err)
        self.assertEqual(results.cases[ALONE]["verdict"], "CRASH")
        self.assertEqual(results.cases[STRIDES]["verdict"], "PASS")
        self.assertEqual([cause["id"] for cause in results.causes], ["import/memory-in-a-call/byte-offset"])
        self.assertNotIn(STRIDES, results.causes[0]["cases"])


if __name__ == "__main__":
    unittest.main()
