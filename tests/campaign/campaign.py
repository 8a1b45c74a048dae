# tests/campaign/campaign.py: starts campaigns in a folder of their own, for the tests.
import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["DLPACK_CTS"]


class Campaign(unittest.TestCase):
    """A test whose campaigns have the folder self.out. Their last standard output is self.text."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def command(self, target, *libraries, options=("--runs", "20000")):
        return [PROGRAM, "fuzz", target, *libraries, "--out", str(self.out), *map(str, options)]

    def environment(self, mutant="", **more):
        return {**os.environ, "DLPACK_CTS_FUZZ_MUTANT": mutant, **more}

    def fuzz(self, target, *libraries, options=("--runs", "20000"), mutant="", **more):
        return subprocess.run(self.command(target, *libraries, options=options), text=True, capture_output=True, check=False,
                              timeout=120, env=self.environment(mutant, **more))

    def expect(self, run, status):
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"\n\d+ exchanges in [\d.]+ s\n$")
        self.assertEqual(run.stdout.count("\nfound: ") + run.stdout.startswith("found: "), self.count_new(run))

    @staticmethod
    def count_new(run):
        return int(re.search(r"^causes:.* (\d+) new$", run.stdout, re.M).group(1))

    @staticmethod
    def count(run, name="exchanges"):
        """The numbers of this run, and of the whole campaign."""
        return tuple(map(int, re.search(rf"^  {name} +(\d+) +(\d+) *$", run.stdout, re.M).groups()))

    @staticmethod
    def cpu_seconds(run):
        """As count(), of driver and workers."""
        return tuple(map(float, re.search(r"^  CPU seconds +([\d.]+) +([\d.]+) *$", run.stdout, re.M).groups()))

    def findings(self):
        return sorted((self.out / "findings").iterdir())

    def state(self):
        return json.loads((self.out / "campaign.json").read_text())

    def stats(self):
        with open(self.out / "stats.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def replay(self, file):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DLPACK_CTS_FUZZ_")}
        return subprocess.run([PROGRAM, "replay", str(file)], text=True, capture_output=True, check=False, timeout=60,
                              env=environment)

    def wait_for(self, file):
        for _ in range(600):
            if file.exists():
                return
            time.sleep(0.05)
        self.fail(f"{file} did not come")
