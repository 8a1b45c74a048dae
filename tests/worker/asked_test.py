# tests/worker/asked_test.py: an adapter is not asked for elements on a device, for no elements, or for too many.
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

ASKED = str(program.TESTS / "worker" / "asked_adapter")
TOY = str(program.TESTS / "python" / "toy_adapter" / "adapter.py")
FINE = {"values-fine", "compute-fine", "write-fine"}


@functools.cache
def asked(places, *, scripts=False):
    """What the adapter was asked for in a run of all cases, and how the reproducers of its findings ended."""
    with tempfile.TemporaryDirectory() as folder:
        record, out = pathlib.Path(folder, "record"), pathlib.Path(folder, "out")
        record.mkdir()
        variables = {"TOY": TOY, "PLACES": places, "RECORD": str(record)}
        ran = program.run("run", "asked", "--adapter", ASKED, "--seed", 1, "--examples", 4, "--sweep", 0, "--format", "json",
                          "--out", out, environment=variables)
        assert ran.status in (0, 1), ran.err
        results = program.Results(ran.out)
        ends = {}
        for script in sorted(out.glob("findings/*.py")) if scripts else ():
            ends[script.name] = subprocess.run([sys.executable, str(script)], env={**os.environ, **variables}, timeout=60,
                                               capture_output=True, check=False).returncode
        return {entry.name for entry in record.iterdir()}, results, ends


def unsafe(results):
    return {case for case, line in results.cases.items() if line["verdict"] == "UNSAFE"}


class AnAdapter(unittest.TestCase):
    def test_is_asked_for_elements_of_the_host(self):
        words, results, _ = asked("usual")
        self.assertEqual(words, FINE, "with empty tensors among the cases")
        self.assertTrue({case for case in results.cases if "empty" in case})

    def test_is_never_asked_for_what_lies_on_a_device(self):
        words, results, ends = asked("all-on-device", scripts=True)
        self.assertEqual(words, set())
        self.assertLessEqual(unsafe(results), unsafe(asked("usual")[1]), "the harness must not add accesses to those of the library")
        self.assertTrue(ends, "an import that lands on another device is a finding")
        self.assertEqual(set(ends.values()), {1}, ends)

    def test_is_asked_for_the_source_alone_where_imports_lie_on_a_device(self):
        self.assertLessEqual(asked("imported-on-device")[0], FINE)

    def test_is_not_asked_for_what_it_computed_onto_a_device(self):
        self.assertEqual(asked("computed-on-device,viewed-on-device")[0], FINE)

    def test_is_never_asked_for_elements_where_there_are_none(self):
        words, _, ends = asked("imported-is-empty", scripts=True)
        self.assertLessEqual(words, FINE)
        self.assertEqual(set(ends.values()), {1}, ends)

    def test_is_never_asked_for_more_elements_than_anybody_offered(self):
        words, _, ends = asked("imported-is-huge", scripts=True)
        self.assertLessEqual(words, FINE)
        self.assertEqual(set(ends.values()), {1}, ends)


if __name__ == "__main__":
    unittest.main()
