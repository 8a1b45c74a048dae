# tests/worker/again_test.py: a case that another cause touched runs again without what that cause needs, and has a verdict of its own.
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402
from fake_worker import FakeWorker  # noqa: E402

STRIDES = "c-abi/strides/any-layout-is-honoured"
ALONE = "c-abi/data/byte-offset-has-64-bits"  # has nothing else to look at
OFFSETS = "c-abi/data/byte-offset-is-added"

ALONE_TOO = "the library does the same with an array that it made itself, without any exchange"
# An array gets its memory when it is read.
DIES_UNLESS_READ = """
import os
correct_values, correct_change, have_memory = values, change_metadata, set()
def values(array):
    have_memory.add(id(array))
    return correct_values(array)
def change_metadata(array, how):
    if id(array) not in have_memory:
        os.abort()
    correct_change(array, how)
"""


def mutant(name, *more):
    ran = program.run("mutants", name, "--json", *more)
    assert ran.status == 0, ran.err
    return json.loads(ran.out)["mutants"][0]


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


class WhatALibraryDoesToItself(unittest.TestCase):
    """It dies of its own arrays too, so that no exchange is to blame."""

    def check(self, deed, select):
        _, plain = program.judge("", select=select)
        ran, results = program.judge("values:" + deed, select=select)
        told = [cause for cause in results.causes if "dtype-int32" in cause["id"]]
        self.assertEqual({cause["verdict"] for cause in told}, {"NOTE"}, ran.err)
        self.assertEqual({cause["message"] for cause in told},
                         {ALONE_TOO})
        for case, line in results.cases.items():
            if case.startswith("whole/"):
                self.assertEqual(line["verdict"], "NOTE")
            else:
                self.assertEqual(line["verdict"], plain.cases[case]["verdict"], case)

    def test_is_told_and_accuses_nobody(self):
        self.check("segfault", [STRIDES, "c-abi/data/*", "whole/*"])

    def test_is_told_of_an_array_that_nobody_has_read(self):
        with tempfile.TemporaryDirectory() as folder:
            adapter = program.toy_that(folder, DIES_UNLESS_READ, ["consumer", "producer"], ["transpose_in_place"])
            ran, results = program.judge(adapter=adapter, select=["c-abi/shape/*"],
                                         more=("--sweep", "0", "--python", sys.executable))
        told = [cause for cause in results.causes if "change-metadata" in cause["id"]]
        self.assertEqual([(cause["verdict"], cause["message"]) for cause in told], [("NOTE", ALONE_TOO)], ran.err)

    def test_is_told_where_it_hangs(self):
        self.check("hang", [STRIDES, OFFSETS])

    def test_is_not_told_of_what_needs_an_exchange(self):
        _, results = program.judge("with_offset:segfault", select=[STRIDES, ALONE])
        self.assertEqual([cause["verdict"] for cause in results.causes], ["CRASH"])


# The real worker in the place of this one; LEAVING does not wait for a further job.
STAYING = "os.execv(REAL, [REAL, *sys.argv[1:]])\n"
LEAVING = """
job["stay"] = False
json.dump(job, open(sys.argv[sys.argv.index("--job") + 1], "w"))
""" + STAYING


class AWorkerThatEndedWell(unittest.TestCase):
    def judge(self, deed):
        fake = FakeWorker(self, deed)
        ran, results = program.judge("with_offset:segfault", select=[STRIDES, ALONE], more=["-j", 1],
                                     program_path=fake.program)
        self.assertEqual(ran.status, 1, ran.err)
        self.assertEqual([results.cases[case]["verdict"] for case in (ALONE, STRIDES)], ["CRASH", "PASS"])
        return fake.started()

    def test_takes_the_cases_that_run_again(self):
        self.assertEqual(self.judge(STAYING), 1)

    def test_is_replaced_where_it_did_not_stay(self):
        self.assertEqual(self.judge(LEAVING), 2)


if __name__ == "__main__":
    unittest.main()
