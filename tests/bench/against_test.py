# tests/bench/against_test.py: bench/run.sh --against compares medians in turns, and rejects what it cannot compare.
"""Usage: against_test.py SOURCE_ROOT."""
import argparse
import contextlib
import io
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "bench"))
import against  # noqa: E402
import measure  # noqa: E402


def compared(before, after, *, more_is_better=False):
    """The status and the output of a comparison of one figure, and the sides in the order in which they ran."""
    order, values = [], {"old": iter(before), "this tree": iter(after)}

    def once(side):
        order.append(side.name)
        return [next(values[side.name])]

    old = against.Side("old", ROOT, ROOT)
    options = argparse.Namespace(numpy_env=None, repetitions=len(before), json=None)
    with mock.patch.object(against, "built", lambda commit: old), \
            mock.patch.object(measure, "interpreter", lambda given, library: "python"), \
            mock.patch.object(against, "figures", lambda *_: [(once, [("figure", "s", more_is_better)])]), \
            contextlib.redirect_stdout(io.StringIO()) as output:
        status = against.compare(options, "commit")
    return status, output.getvalue(), order


class Against(unittest.TestCase):
    def test_a_slower_median_is_worse(self):
        status, output, _ = compared([1, 1, 9], [1.06, 1.06, 1.06])
        self.assertEqual(status, 1)
        self.assertRegex(output, r"figure .* 1\.060 +WORSE")

    def test_five_percent_are_not_worse(self):
        self.assertEqual(compared([1, 1, 1], [1.04, 9, 1.04])[0], 0)

    def test_a_lower_rate_is_worse(self):
        self.assertEqual(compared([100], [94], more_is_better=True)[0], 1)
        self.assertEqual(compared([100], [120], more_is_better=True)[0], 0)

    def test_sides_run_in_turns(self):
        self.assertEqual(compared([1, 1], [1, 1])[2], ["old", "this tree", "this tree", "old"])

    def test_an_unknown_commit_gets_one_message(self):
        run = subprocess.run([ROOT / "bench" / "run.sh", "--against", "no-such-commit"], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r'^dlpack-cts: git knows no commit "no-such-commit"\n  hint: .+\n$')


if __name__ == "__main__":
    unittest.main()
