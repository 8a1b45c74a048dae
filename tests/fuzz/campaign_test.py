# tests/fuzz/campaign_test.py: campaigns find mutants within seconds, continue after known findings, and end on request.
"""Usage: DLPACK_CTS=path campaign_test.py. Skipped where the target is not built (it needs clang)."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import built
from built import PROGRAM

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402
from interruption_test import workers  # noqa: E402


class Campaign(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def command(self, *options, target="import", seconds=10):
        return [PROGRAM, "fuzz", target, "reference", "--seconds", str(seconds), "--out", str(self.out), *options]

    def environment(self, mutant):
        return {**os.environ, "DLPACK_CTS_FUZZ_MUTANT": mutant, "DLPACK_CTS_FUZZ_TIER": ""}

    def fuzz(self, *options, target="import", mutant="", seconds=10):
        return subprocess.run(self.command(*options, target=target, seconds=seconds), text=True, capture_output=True, check=False,
                              timeout=90, env=self.environment(mutant))

    def replay(self, file):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DLPACK_CTS_FUZZ_")}
        return subprocess.run([PROGRAM, "replay", str(file)], text=True, capture_output=True, check=False, timeout=60,
                              env=environment)


class Finds(Campaign):
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
                began = time.monotonic()
                run = self.fuzz(target=target, mutant=mutant)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertRegex(run.stdout, rf"found: (FAIL|UNSAFE) ({rule}): ")
                self.assertLess(time.monotonic() - began, 30)

    def test_what_replays_without_the_campaigns_environment(self):
        run = self.fuzz(mutant="ignores-strides")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        finding = self.only("crash-*.json")
        self.assertIn(f"replay: dlpack-cts replay {finding}", run.stdout)
        record = json.loads(finding.read_text())
        self.assertEqual((record["verdict"], record["library"]), ("FAIL", "reference"))
        for file in (finding, finding.with_suffix("")):
            again = self.replay(file)
            self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
            self.assertIn("C-STRIDES-08", again.stdout)
            self.assertIn(record["message"], again.stdout)

    def test_what_replays_of_an_export_too(self):
        run = self.fuzz(target="export", mutant="exports-base-pointer")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        finding = self.only("crash-*.json")
        for file in (finding, finding.with_suffix("")):
            again = self.replay(file)
            self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
            self.assertIn(json.loads(finding.read_text())["message"], again.stdout)

    def test_the_smallest_recipe_of_a_finding(self):
        self.fuzz(mutant="ignores-strides")
        offer = json.loads(self.only("crash-*.json").read_text())["recipe"]["offers"][0]
        self.assertLessEqual(offer["dims"], 2)
        self.assertTrue(all(extent <= 2 for extent in offer["shape"]), offer)
        self.assertNotIn("byte_offset", offer)

    def test_crashes_and_keeps_their_input(self):
        run = self.fuzz(mutant="dereferences-null-strides")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("CRASH: the library ended the process during an exchange: Segmentation fault", run.stdout)
        again = self.replay(self.only("crash-*"))
        self.assertEqual(again.returncode, 1)
        self.assertIn("CRASH", again.stdout)

    def only(self, pattern):
        files = list(self.out.glob(pattern))
        self.assertEqual(len(files), 1, files)
        return files[0]


class GoesOn(Campaign):
    def test_on_the_reference(self):
        for target in ("import", "export"):
            with self.subTest(target=target):
                run = self.fuzz(target=target, seconds=3)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertRegex(run.stdout, r"^\d+ exchanges in [\d.]+ s, \d+ per second\nnothing found\n$")
                self.assertTrue(any((self.out / "corpus").iterdir()))

    def test_on_conforming_variants(self):
        for target, variant in (("import", "releases-on-collect"), ("import", "refusals-consume"),
                                ("import", "always-copies"), ("export", "always-copies")):
            with self.subTest(target=target, variant=variant):
                run = self.fuzz(target=target, mutant=variant, seconds=2)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_after_deviations_that_are_listed(self):
        listed = self.out / "expectations.toml"
        listed.write_text('[[expect]]\nrule = "C-OWN-01"\nverdict = "LEAK"\nmessage = "all objects were dropped"\n'
                          'why = "a test"\n')
        run = self.fuzz("--expectations", str(listed), mutant="never-releases-empty", seconds=3)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("1 known deviations of reference do not stop this campaign:\n  C-OWN-01 all objects", run.stderr)
        self.assertRegex(run.stderr, r"[1-9]\d* exchanges showed known deviations")

    def test_until_somebody_stops_the_driver(self):
        command = subprocess.Popen(self.command(seconds=60), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment(""))
        time.sleep(3)
        command.send_signal(signal.SIGTERM)
        out, words = command.communicate(timeout=20)
        self.assertEqual(command.returncode, 130, out + words)


class Leaves(Campaign):
    def test_no_process_that_the_library_started_even_in_another_session(self):
        tag = f"DLPACK_CTS_TEST={os.getpid()}-{self.id()}"
        name, value = tag.split("=")
        left = self.out / "left"
        for misdeed in ("import:leave_processes", "always:leave_processes"):
            with self.subTest(misdeed):
                run = subprocess.run([PROGRAM, "fuzz", "import", "misbehaving", "--adapter", program.TOY, "--seconds", "2",
                                      "--out", str(self.out)], text=True, capture_output=True, check=False, timeout=90,
                                     env={**self.environment(""), name: value, "MISDEED": misdeed, "LEFT": str(left)})
                self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
                self.assertTrue(left.stat().st_size)
                left.unlink()
                self.assertEqual(workers(tag.encode()), [])


class Usage(Campaign):
    def test_unknown_targets_and_folders_get_a_hint(self):
        for arguments, what in ((["fuzz", "exprot", "reference"], "no fuzz target exprot"),
                                (["fuzz", "import", "unknown"], "unknown"),
                                (["fuzz", "import", "reference", "--out", "/proc/none"], "/proc/none")):
            run = subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False, timeout=60)
            self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
            self.assertRegex(run.stderr, rf"^dlpack-cts: .*{what}.*\n  hint: ")

    def test_lists_and_help_name_the_targets(self):
        for arguments in (["list", "targets"], ["fuzz", "--help"], ["fuzz", "nothing", "reference"]):
            run = subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False, timeout=60)
            for target in ("import", "export"):
                self.assertRegex(run.stdout + run.stderr, rf"\b{target}\b")


if __name__ == "__main__":
    built.main()
