# tests/campaign/usage_test.py: wrong options, libraries and folders of a campaign get one message with a hint, and status 2.
"""Usage: DLPACK_CTS=path usage_test.py"""
import fcntl
import shutil
import subprocess
import sys
import unittest

import survives_test
from campaign import PROGRAM, Campaign


class Usage(Campaign):
    def expect_hint(self, run, what):
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertRegex(run.stderr, rf"(?m)^dlpack-cts: .*{what}.*\n  hint: ")
        self.assertEqual(run.stdout, "")

    def test_options(self):
        for options, what in ((["--seconds", "0"], "--seconds"), (["--seconds", "-3"], "--seconds"),
                              (["--jobs", "0"], "--jobs"), (["--jobs", "100000"], "--jobs: 100000 is not between 1 and 64"),
                              (["--memory", "none"], "--memory"), (["--runs", "no"], "--runs")):
            with self.subTest(options=options):
                self.expect_hint(self.fuzz("import", "reference", options=options), what)

    def test_targets_and_libraries(self):
        for arguments, what in ((["exprot", "reference"], "no fuzz target exprot"), (["import", "unknown"], "unknown"),
                                (["pair", "reference"], "needs two libraries"),
                                (["import", "reference", "reference"], "needs one library"),
                                (["import", "reference", "--out", "/proc/none"], "/proc/none")):
            with self.subTest(arguments=arguments):
                self.expect_hint(subprocess.run([PROGRAM, "fuzz", *arguments], text=True, capture_output=True, check=False,
                                                timeout=60), what)

    def test_lists_and_help_name_the_targets(self):
        for arguments in (["list", "targets"], ["fuzz", "--help"], ["fuzz", "nothing", "reference"]):
            run = subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False, timeout=60)
            for target in ("import", "export", "exchange", "lifecycle", "hostile", "pair"):
                self.assertRegex(run.stdout + run.stderr, rf"\b{target}\b")


class Libraries(survives_test.OfMine):
    expect_hint = Usage.expect_hint

    def test_that_cannot_be_imported(self):
        for jobs in (1, 2):
            with self.subTest(jobs=jobs):
                run = self.mine("import", "--jobs", jobs, "--runs", 10)
                self.expect_hint(run, "mine")
                self.assertNotIn("\x1b", run.stderr)

    def test_on_which_nothing_runs(self):
        run = self.fuzz("exchange", "mine", options=("--adapter", self.folder, "--python", sys.executable, "--runs", 100))
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertRegex(run.stderr, "(?m)^dlpack-cts: no exchange of the target exchange runs with mine: .+\n  hint: ")

    def test_that_lack_the_role(self):
        run = self.fuzz("export", "mine", options=("--adapter", self.folder, "--python", sys.executable))
        self.expect_hint(run, "needs the role producer, but mine does not have it")


class Runs(Campaign):
    def test_are_not_exceeded(self):
        for target, runs in (("cases", 700), ("lifecycle", 1500), ("exchange", 90), ("import", 1)):
            with self.subTest(target=target):
                run = self.fuzz(target, "reference", options=("--runs", runs))
                self.expect(run, 0)
                now, _ = self.count(run)
                self.assertLessEqual(now, runs)
                self.assertGreater(now, 0.9 * runs - 1)
                shutil.rmtree(self.out)

    def test_of_a_campaign_are_those_of_this_command(self):
        for in_all in (300, 600):
            run = self.fuzz("export", "reference", options=("--runs", 300))
            self.expect(run, 0)
            self.assertEqual(self.count(run), (300, in_all))


class Folders(Campaign):
    expect_hint = Usage.expect_hint

    def test_of_another_campaign(self):
        self.expect(self.fuzz("import", "reference", options=("--runs", 300)), 0)
        self.expect_hint(self.fuzz("export", "reference", options=("--runs", 300)), "a campaign of the target import")

    def test_of_a_campaign_that_runs(self):
        self.out.mkdir()
        with open(self.out / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.expect_hint(self.fuzz("import", "reference"), "another campaign is running")

    def test_with_a_damaged_file(self):
        self.out.mkdir()
        for text in ("", "{", "[]", '{"campaign": 1}', '{"campaign": 7}', '{"campaign": 1, "target": 3}',
                     '{"campaign": 1, "book": []}'):
            with self.subTest(text):
                (self.out / "campaign.json").write_text(text)
                self.expect_hint(self.fuzz("import", "reference"), "campaign.json is damaged")


if __name__ == "__main__":
    unittest.main()
