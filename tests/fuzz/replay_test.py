# tests/fuzz/replay_test.py: every seed of the corpus passes on the reference, and finds the defect of a mutant.
"""Usage: DLPACK_CTS=path replay_test.py. Uses the replay program only, which every build has."""
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["DLPACK_CTS"]
CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
SEEDS = CORPUS / "import"


def replay(file, *options, mutant="", tier=""):
    environment = {**os.environ, "DLPACK_CTS_FUZZ_MUTANT": mutant, "DLPACK_CTS_FUZZ_TIER": tier}
    return subprocess.run([PROGRAM, "replay", str(file), "--library", "reference", *options], text=True,
                          capture_output=True, check=False, timeout=60, env=environment)


class Seeds(unittest.TestCase):
    def test_all_hold_on_the_reference(self):
        seeds = sorted(CORPUS.glob("*/*.recipe")) + sorted(CORPUS.glob("*/*.struct"))
        self.assertGreaterEqual(len(seeds), 50)
        self.assertEqual({seed.parent.name for seed in seeds}, {"import", "export", "header"})
        for seed in seeds:
            run = replay(seed)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn(": held (", run.stdout)

    def test_families_say_how_the_reference_answered(self):
        self.assertIn("held (accepted)", replay(SEEDS / "strided-1.recipe").stdout)
        self.assertIn("held (refused: BufferError", replay(SEEDS / "foreign-major-1.recipe").stdout)

    def test_a_mutant_breaks_its_rule_on_the_seed_of_its_family(self):
        for mutant, seed, rule in (("ignores-byte-offset", "byte-offset-1", "FAIL C-DATA-01"),
                                   ("releases-twice", "versioned-1", "FAIL C-OWN-02"),
                                   ("never-releases", "versioned-1", "LEAK C-OWN-01"),
                                   ("reads-body-of-foreign-majors", "foreign-major-1", "UNSAFE C-VERSION-04"),
                                   ("drops-read-only", "read-only-1", "FAIL C-FLAGS-03")):
            with self.subTest(mutant=mutant):
                run = replay(SEEDS / f"{seed}.recipe", mutant=mutant)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertIn(rule, run.stdout)
                self.assertIn('recipe: {"format":2', run.stdout)

    def test_a_crash_is_named(self):
        run = replay(SEEDS / "null-strides-1.recipe", mutant="dereferences-null-strides")
        self.assertEqual(run.returncode, 1)
        self.assertIn("CRASH: the library was terminated by a signal: Segmentation fault", run.stdout)


class SeedsOfExports(unittest.TestCase):
    def test_are_replayed_as_exports(self):
        self.assertIn("held (accepted)", replay(CORPUS / "export" / "view-1.recipe").stdout)
        run = replay(CORPUS / "export" / "view-1.recipe", mutant="exports-base-pointer")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("FAIL C-", run.stdout)


class SeedsOfHeaders(unittest.TestCase):
    def test_are_replayed_as_structs(self):
        self.assertIn("held (accepted)", replay(CORPUS / "header" / "strided-1.struct").stdout)
        self.assertRegex(replay(CORPUS / "header" / "negative-extent-1.struct").stdout, r"held \(refused: .*a negative extent")

    def test_a_mutant_breaks_its_rule_on_a_struct(self):
        run = replay(CORPUS / "header" / "byte-offset-1.struct", mutant="ignores-byte-offset")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("FAIL C-DATA-01", run.stdout)


class Usage(unittest.TestCase):
    def expect_hint(self, run, what):
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertRegex(run.stderr, rf"^dlpack-cts: .*{what}.*\n  hint: ")

    def test_unknown_mutants_tiers_and_files_get_a_hint(self):
        self.expect_hint(replay(SEEDS / "empty-1.recipe", mutant="unknown"), "no mutant unknown")
        self.expect_hint(replay(SEEDS / "empty-1.recipe", tier="gentle"), "no tier gentle")
        self.expect_hint(replay("nowhere.recipe"), "nowhere.recipe: cannot be read")

    def test_a_file_that_is_neither_finding_nor_input_gets_a_hint(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("what is this")
            file.flush()
            self.expect_hint(replay(file.name), "is not a finding")


if __name__ == "__main__":
    unittest.main()
