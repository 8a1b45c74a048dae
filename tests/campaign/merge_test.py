# tests/campaign/merge_test.py: `fuzz --merge` makes one campaign of several, and `fuzz --minimize` makes a finding simpler.
"""Usage: DLPACK_CTS=path merge_test.py"""
import json
import pathlib
import shutil
import subprocess
import unittest

from campaign import PROGRAM, Campaign

# A broadcast of complex numbers at an offset, and two steps that do not matter.
RECIPE = {"format": 2, "kind": "import",
          "life": [{"op": op} for op in ("import", "describe", "read", "compute", "drop-producer", "drop-array", "collect")],
          "offers": [{"byte_offset": 8, "dtype": {"code": 5}, "flags": 2, "dims": 3, "ndim": 3, "shape": [3, 2, 4]}]}


class OfFolders(Campaign):
    def run_fuzz(self, *arguments):
        return subprocess.run([PROGRAM, "fuzz", *map(str, arguments)], text=True, capture_output=True, check=False, timeout=120,
                              env=self.environment())

    def campaign(self, name, mutant="", seed=1, target="import"):
        self.out = self.folder / name
        run = self.fuzz(target, "reference", mutant=mutant, options=("--runs", 3000, "--seed", seed))
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        return self.out

    def complains(self, run, about):
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertRegex(run.stderr, rf"(?m)^dlpack-cts: .*{about}.*\n  hint: \S")


class Merge(OfFolders):
    def test_adds_figures_and_brings_the_files_of_causes(self):
        first, second = self.campaign("a", "releases-twice"), self.campaign("b", "never-releases-empty", seed=2)
        states = [json.loads((folder / "campaign.json").read_text()) for folder in (first, second)]
        self.out = self.folder / "all"
        run = self.run_fuzz("--merge", first, second, "--out", self.out)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(self.count(run)[1], sum(state["exchanges"] for state in states))
        self.assertAlmostEqual(self.cpu_seconds(run)[1], sum(state["cpu_seconds"] for state in states), delta=0.06)
        self.assertEqual(len(self.findings()), 2)
        self.assertEqual({cause["rule"] for cause in self.state()["book"]["causes"]}, {"C-OWN-07", "C-OWN-01"})
        for folder in self.findings():
            self.assertIn(f"replay {folder}/finding.json", (folder / "report.txt").read_text())
        self.assertIn('href="findings/', (self.out / "index.html").read_text(encoding="utf-8"))
        self.assertEqual(len(self.stats()), 1)
        shutil.rmtree(first)
        again = self.run_fuzz("--merge", second, "--out", self.out)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("0 causes not seen before", again.stdout)
        self.assertEqual(len(self.findings()), 2)
        goes_on = self.fuzz("import", "reference", mutant="releases-twice", options=("--runs", 2000))
        self.expect(goes_on, 0)

    def test_says_which_campaigns_ran_the_same_exchanges(self):
        first, second = self.campaign("a"), self.campaign("b")
        run = self.run_fuzz("--merge", first, second, "--out", self.folder / "all")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"seed 1 is also that of .*/a: both ran the same exchanges")

    def test_refuses_what_it_cannot_merge_and_writes_nothing(self):
        first, other = self.campaign("a"), self.campaign("b", target="export")
        out = self.folder / "all"
        self.complains(self.run_fuzz("--merge", first, other, "--out", out), "holds a campaign of the target export")
        self.complains(self.run_fuzz("--merge", first, first, "--out", out), "is given twice")
        self.complains(self.run_fuzz("--merge", first, "--out", first), "is given twice")
        self.complains(self.run_fuzz("--merge", self.folder, "--out", out), "holds no campaign")
        (other / "campaign.json").write_text('{"campaign": 2}')
        self.complains(self.run_fuzz("--merge", first, other, "--out", out), "campaign.json is damaged")
        self.complains(self.run_fuzz("import", "reference", "--merge", first), "TARGET excludes --merge")
        self.assertFalse((out / "campaign.json").exists())


class Minimize(OfFolders):
    def finding(self, **changes):
        finding = {"finding": 1, "library": "reference", "case": "whole/import/no-other-fact-deviates", "recipe": RECIPE,
                   "mutant": "ignores-byte-offset-of-complex", **changes}
        path = self.folder / "big.json"
        path.write_text(json.dumps(finding))
        return path

    def test_says_what_it_removed_and_writes_the_rest_beside(self):
        run = self.run_fuzz("--minimize", self.finding())
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("  removed offers[0].flags = 2\n", run.stdout)
        self.assertRegex(run.stdout, r"FAIL C-DATA-01: ")
        smaller = self.folder / "big.min.json"
        self.assertIn(f"written: {smaller}\n", run.stdout)
        record = json.loads(smaller.read_text())
        self.assertEqual((record["rule"], record["mutant"]), ("C-DATA-01", "ignores-byte-offset-of-complex"))
        self.assertNotIn("shape", record["recipe"]["offers"][0])
        self.assertEqual(self.replay(smaller).returncode, 1)
        again = self.run_fuzz("--minimize", smaller)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("it is minimal already\n", again.stdout)

    def test_says_that_nothing_shows(self):
        run = self.run_fuzz("--minimize", self.finding(mutant=""))
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("reference 0.1.0 shows no deviation", run.stdout)

    def test_refuses_other_files(self):
        self.complains(self.run_fuzz("--minimize", "/nowhere"), "/nowhere: cannot be read")
        self.complains(self.run_fuzz("--minimize", self.finding(recipe=3)), "is not a finding")
        self.complains(self.run_fuzz("import", "reference", "--minimize", self.finding()), "TARGET excludes --minimize")
        self.complains(self.run_fuzz("--minimize", pathlib.Path(self.finding()), "--merge", self.folder), "excludes")


if __name__ == "__main__":
    unittest.main()
