# tests/fuzz/libfuzzer_test.py: dlpack-cts-fuzz finds mutants within seconds, keeps their inputs, and accuses nothing else.
"""Usage: DLPACK_CTS=path libfuzzer_test.py. Skipped where the program is not built (it needs clang)."""
import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import unittest

import built
from built import PROGRAM

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
LIBPYTHON = os.path.join(*map(sysconfig.get_config_var, ("LIBDIR", "INSTSONAME")))
# Refuses every tensor; exits during the 200th import.
ADAPTER = '''
import ctypes
count = 0

def version():
    return "1.0"

def from_dlpack(obj, **kw):
    global count
    count += 1
    if count == 200:
        ctypes.CDLL(None).exit(0)
    raise BufferError("no")

def describe(array):
    raise NotImplementedError
values = write = describe
'''


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def fuzz(self, target="import", seconds=30, **variables):
        """Runs the program; `variables` are without their prefix. Its corpus, finding and failing inputs are in `out`."""
        corpus = self.out / "corpus"
        corpus.mkdir(exist_ok=True)
        names = {"TARGET": target, "PYTHON": sys.executable, "LIBPYTHON": LIBPYTHON, "FINDING": self.finding, **variables}
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DLPACK_CTS_FUZZ_")}
        environment.update({f"DLPACK_CTS_FUZZ_{key}": str(value) for key, value in names.items()})
        return subprocess.run([built.fuzz_program(), corpus, CORPUS / target, f"-max_total_time={seconds}",
                               f"-artifact_prefix={self.out}/", "-timeout=20"], text=True, errors="replace",
                              capture_output=True, check=False, timeout=120, env=environment)

    @property
    def finding(self):
        return self.out / "finding.json"

    def replay(self, file, mutant=""):
        environment = {**os.environ, "DLPACK_CTS_FUZZ_MUTANT": mutant}
        return subprocess.run([PROGRAM, "replay", str(file), "--library", "reference"], text=True, capture_output=True,
                              check=False, timeout=60, env=environment)

    def only(self, pattern):
        files = list(self.out.glob(pattern))
        self.assertEqual(len(files), 1, files)
        return files[0]


class Finds(Program):
    def test_mutants_with_a_rare_trigger_too(self):
        for target, mutant, rule in (("import", "ignores-byte-offset-of-legacy-matrices", "C-DATA-01"),
                                     ("import", "releases-twice", "C-OWN-02"),
                                     ("import", "ignores-byte-offset-of-complex", "C-DATA-01"),
                                     ("import", "truncates-major", "C-VERSION-0[46]"),
                                     ("import", "takes-bfloat16-for-float16", "C-LAYOUT-08|C-DTYPE-14"),
                                     ("export", "deleter-leaks-legacy-views", "C-OWN-06"),
                                     ("export", "exports-base-pointer", "C-DATA-1[45]|C-STRIDES-02"),
                                     ("export", "exports-memory-of-legacy-that-dies", "C-DATA-12|C-OWN-10")):
            with self.subTest(mutant=mutant):
                run = self.fuzz(target, MUTANT=mutant)
                self.assertNotEqual(run.returncode, 0, run.stderr)
                self.assertRegex(run.stderr, rf"\n(FAIL|UNSAFE) ({rule}): ")

    def test_what_replays_as_a_recipe_and_as_an_input(self):
        for target, mutant in (("import", "ignores-strides"), ("export", "exports-base-pointer")):
            with self.subTest(target=target):
                run = self.fuzz(target, MUTANT=mutant)
                record = json.loads(self.finding.read_text())
                self.assertEqual((record["verdict"], record["library"]), ("FAIL", "reference"), run.stderr)
                # The name of its folder says which target an input is for.
                (self.out / target).mkdir()
                kept = self.only("crash-*").rename(self.out / target / "crash-1")
                for again in (self.replay(self.finding), self.replay(kept, mutant)):
                    self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
                    self.assertIn(record["message"], again.stdout)

    def test_the_smallest_recipe_of_a_finding(self):
        self.fuzz(MUTANT="ignores-strides")
        offer = json.loads(self.finding.read_text())["recipe"]["offers"][0]
        self.assertLessEqual(offer["dims"], 2)
        self.assertTrue(all(extent <= 2 for extent in offer["shape"]), offer)
        self.assertNotIn("byte_offset", offer)

    def test_crashes_and_keeps_their_input(self):
        run = self.fuzz(MUTANT="dereferences-null-strides")
        self.assertNotEqual(run.returncode, 0, run.stderr)
        self.assertIn("libFuzzer: deadly signal", run.stderr)
        again = self.replay(self.only("crash-*"), "dereferences-null-strides")
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("CRASH", again.stdout)

    def test_a_library_that_exits(self):
        (self.out / "adapter.py").write_text(ADAPTER)
        (self.out / "library.toml").write_text('name = "mine"\nkind = "python"\nroles = ["consumer"]\n')
        run = self.fuzz(LIBRARY="mine", ADAPTER=self.out)
        self.assertNotEqual(run.returncode, 0, run.stderr)
        self.assertIn("fuzz target exited", run.stderr)
        self.only("crash-*")


class GoesOn(Program):
    def test_on_the_reference(self):
        for target in ("import", "export"):
            with self.subTest(target=target):
                run = self.fuzz(target, seconds=3)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertRegex(run.stderr, r"Done \d+ runs in \d+ second")
                self.assertTrue(any((self.out / "corpus").iterdir()))

    def test_on_conforming_variants(self):
        for target, variant in (("import", "releases-on-collect"), ("import", "refusals-consume"),
                                ("import", "always-copies"), ("export", "always-copies")):
            with self.subTest(target=target, variant=variant):
                run = self.fuzz(target, seconds=2, MUTANT=variant)
                self.assertEqual(run.returncode, 0, run.stderr)

    def test_after_known_deviations(self):
        run = self.fuzz(seconds=3, MUTANT="never-releases-empty", KNOWN="\tC-OWN-01\tall objects were dropped\n")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("1 known deviations of reference do not stop this program:\n  C-OWN-01 all objects", run.stderr)


class Usage(Program):
    def test_wrong_settings_get_a_hint(self):
        for variables, what in (({"TARGET": "exprot"}, "no fuzz target exprot"), ({"MUTANT": "unknown"}, "no mutant unknown"),
                                ({"TIER": "gentle"}, "no tier gentle"), ({"KIND": "cobol"}, "cobol")):
            run = self.fuzz(seconds=1, **variables)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, rf"dlpack-cts: .*{what}.*\n  hint: ")


if __name__ == "__main__":
    built.main()
