# tests/bench/fuzz_state_test.py: bench/fuzz.sh continues from the searches that were finished.
"""Usage: fuzz_state_test.py SOURCE_ROOT."""
import argparse
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "bench"))
import fuzz  # noqa: E402
import fuzz_state  # noqa: E402
from measure import Unusable  # noqa: E402

MATRIX = {"mutants": [{"mutant": name, "kind": "mutant", "causes": [{"id": "import/a/b", "verdict": "FAIL"}]}
                      for name in ("first", "second", "third")]}


def never():
    raise AssertionError("it ran again")


class Searches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "state"
        self.enterContext(mock.patch.object(fuzz_state, "commit", lambda: "0123"))

    def test_of_an_earlier_run_do_not_run_again(self):
        first = fuzz_state.Searches(self.folder)
        self.assertEqual(first.run(("a", 1), lambda: 2000), 2000)
        self.assertIsNone(first.run(("b", 1), lambda: None))
        again = fuzz_state.Searches(self.folder)
        self.assertEqual(again.run(("a", 1), never), 2000)
        self.assertIsNone(again.run(("b", 1), never))
        self.assertEqual(again.run(("a", 2), lambda: 3), 3)

    def test_that_a_kill_cut_off_run_again(self):
        fuzz_state.Searches(self.folder).run(("a", 1), lambda: 2000)
        file = self.folder / fuzz_state.SEARCHES
        file.write_text(file.read_text() + '{"key": ["b", 1], "exch')
        again = fuzz_state.Searches(self.folder)
        self.assertEqual(again.run(("b", 1), lambda: 7), 7)
        last = fuzz_state.Searches(self.folder)
        self.assertEqual((last.run(("a", 1), never), last.run(("b", 1), never)), (2000, 7))

    def test_of_another_commit_are_refused(self):
        fuzz_state.Searches(self.folder)
        with mock.patch.object(fuzz_state, "commit", lambda: "4567"), self.assertRaises(Unusable):
            fuzz_state.Searches(self.folder)

    def test_of_mutants_continue_and_print_share_and_median(self):
        taken = {"first": 2000, "second": None, "third": 30_000}
        searched = []

        def blind(arguments, seed, most, mutant):
            if mutant == "third" and len(searched) == 2:
                searched.append("interrupted")
                raise KeyboardInterrupt
            searched.append(mutant)
            return taken[mutant]

        options = argparse.Namespace(matrix=None, sample=10, runs=2_000_000)
        with mock.patch.object(fuzz, "blind", blind), mock.patch.object(fuzz, "run") as run, \
                contextlib.redirect_stderr(io.StringIO()):
            run.return_value.stdout = json.dumps(MATRIX)
            with self.assertRaises(KeyboardInterrupt):
                fuzz.mutants(options, fuzz_state.Searches(self.folder), [])
            with contextlib.redirect_stdout(io.StringIO()) as output:
                fuzz.mutants(options, fuzz_state.Searches(self.folder), [])
        self.assertEqual(searched, ["first", "second", "interrupted", "third"])
        self.assertEqual(run.call_count, 1)
        self.assertIn("3 of 3 that a single exchange shows: a campaign finds 2 (67 %) within 150,000 exchanges; the median is 30,000.",
                      output.getvalue())
        self.assertIn("not found: second", output.getvalue())


if __name__ == "__main__":
    unittest.main()
