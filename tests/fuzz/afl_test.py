# tests/fuzz/afl_test.py: dlpack-cts-fuzz-afl runs under AFL++ in persistent mode, and saves what a defect shows.
"""Usage: DLPACK_CTS=path afl_test.py. Skipped where the program is not built (it needs clang and AFL++)."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import built

TREE = pathlib.Path(__file__).resolve().parents[2]


def program():
    """The path of dlpack-cts-fuzz-afl, or None."""
    other = built.fuzz_program()
    mine = None if other is None else other.with_name("dlpack-cts-fuzz-afl")
    return mine if mine is not None and mine.exists() else None


@unittest.skipIf(program() is None, "dlpack-cts-fuzz-afl is not built: it needs clang and Debian's package afl++")
class Afl(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def fuzz(self, seconds, mutant="", target="import"):
        """Runs the target on the reference. Returns AFL++'s statistics."""
        environment = {**os.environ, "DLPACK_CTS_FUZZ_TARGET": target, "DLPACK_CTS_FUZZ_KIND": "reference-native",
                       "DLPACK_CTS_FUZZ_MUTANT": mutant, "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1",
                       "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}
        run = subprocess.run(["afl-fuzz", "-i", TREE / "corpus" / target, "-o", self.out, "-V", str(seconds), "-s", "1", "-m",
                              "none", "--", program()], env=environment, text=True, errors="replace", capture_output=True,
                             check=False, timeout=120)
        self.assertEqual(run.returncode, 0, (run.stdout + run.stderr)[-2000:])
        lines = (self.out / "default/fuzzer_stats").read_text(encoding="utf-8").splitlines()
        return {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in lines if ":" in line)}

    def test_the_reference_has_no_finding_and_its_edges_are_counted(self):
        statistics = self.fuzz(5)
        self.assertEqual(statistics["saved_crashes"], "0")
        self.assertGreater(int(statistics["execs_done"]), 1000)  # one process for each input would be slower
        # The 4096 guards of the ledger come with those of the reference.
        self.assertGreater(int(statistics["total_edges"]), 4096)
        self.assertGreater(int(statistics["edges_found"]), 100)

    def test_headers_of_any_bytes(self):
        statistics = self.fuzz(5, target="header")
        self.assertEqual(statistics["saved_crashes"], "0")
        self.assertGreater(int(statistics["execs_done"]), 1000)

    def test_a_defect_is_saved_as_a_crash(self):
        self.assertGreater(int(self.fuzz(10, "truncates-byte-offset")["saved_crashes"]), 0)
        crash = next((self.out / "default/crashes").glob("id:*"))
        environment = {**os.environ, "DLPACK_CTS_FUZZ_TARGET": "import", "DLPACK_CTS_FUZZ_KIND": "reference-native",
                       "DLPACK_CTS_FUZZ_MUTANT": "truncates-byte-offset"}
        again = subprocess.run([program(), crash], env=environment, text=True, errors="replace", capture_output=True, check=False,
                               timeout=60)
        self.assertRegex(again.stderr, r"\n(FAIL|UNSAFE) C-DATA-")


if __name__ == "__main__":
    built.main()
