# tests/runner/old_results_test.py: `report` and `diff` read the result files of earlier programs, or say what to do.
"""The files are in tests/results/testdata. schema3-before-shards.ndjson was written by the program before --shard; only the
limitations after the first one were removed. The two others are made by hand of it, with the fields of the schema of their
time: schema3-first.ndjson of the first version 3 (no profile, words, choices or limitations, and a shorter footer),
schema2.ndjson of version 2 (no causes)."""
import pathlib
import tempfile
import unittest

import program

OLD = program.TESTS / "results" / "testdata"
READ = ("schema3-first.ndjson", "schema3-before-shards.ndjson")
CRASHING = "c-abi/flags/unknown-flags-are-noticed"
SELECT = (CRASHING, "c-abi/flags/reexport-tells-the-truth", "c-abi/data/byte-offset-is-added")


class OldResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def test_reports_are_made_of_them(self):
        for name in READ:
            with self.subTest(name=name):
                ran = program.run("report", OLD / name, "--out", self.out / name)
                self.assertEqual((ran.status, ran.err), (1, ""), ran.out)
                self.assertIn("misbehaving 1.0 does not conform", ran.out)
                self.assertIn("PY-FROM-11", ran.out)
                again = program.Results((self.out / name / "results.ndjson").read_text())
                self.assertEqual({case: line["verdict"] for case, line in again.cases.items()},
                                 {CRASHING: "CRASH", SELECT[1]: "SKIP", SELECT[2]: "PASS"})
                self.assertEqual([cause["id"] for cause in again.causes], ["import/memory-in-a-call/unknown-flags"])
                self.assertNotIn("run_id", again.header)

    def test_a_run_of_today_is_compared_with_them(self):
        for misdeed, worse, better in (("segfault", 0, 0), ("", 0, 1)):
            ran, _ = program.judge(misdeed, select=SELECT, more=["--sweep", 0, "--out", self.out / "today"])
            self.assertIn(ran.status, (0, 1), ran.err)
            for name in READ:
                with self.subTest(name=name, misdeed=misdeed):
                    ran = program.run("diff", OLD / name, self.out / "today")
                    self.assertEqual((ran.status, ran.err), (0, ""), ran.out)
                    self.assertIn(f"{worse} worse, {better} better", ran.out)

    def test_an_older_version_of_the_lines_is_one_clear_message(self):
        for command in (("report",), ("diff", OLD / READ[0])):
            ran = program.run(*command, OLD / "schema2.ndjson")
            self.assertEqual((ran.status, ran.out), (2, ""), ran.err)
            self.assertIn("has version 2 of the result lines, this program reads version 3; run the library again", ran.err)


if __name__ == "__main__":
    unittest.main()
