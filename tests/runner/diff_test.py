# tests/runner/diff_test.py: `diff` compares two stored runs, and its exit status says whether something is worse.
import pathlib
import tempfile
import unittest

import program

SELECT = ["c-abi/version/*", "c-abi/flags/*", "c-abi/own/tensor-is-released-once"]


class Diff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        out = pathlib.Path(cls.folder.name)
        cls.good, cls.bad, cls.few = out / "good", out / "bad", out / "few"
        for folder, misdeed, select in ((cls.good, "", SELECT), (cls.bad, "segfault", SELECT), (cls.few, "", SELECT[:1])):
            ran, _ = program.judge(misdeed, select=select, more=["--out", folder])
            assert ran.status in (0, 1), ran.err

    def test_of_a_run_with_itself_is_empty(self):
        ran = program.run("diff", self.good, self.good / "results.ndjson")
        self.assertEqual((ran.status, ran.err), (0, ""))
        self.assertIn("0 worse, 0 better, 0 otherwise different", ran.out)

    def test_names_a_new_crash_once_and_exits_with_1(self):
        ran = program.run("diff", self.good, self.bad)
        self.assertEqual(ran.status, 1, ran.out + ran.err)
        worse = ran.out.split("Worse:\n")[1]
        self.assertEqual(worse.count("(new)"), 1, worse)
        self.assertIn("CRASH", worse)

    def test_of_a_repaired_library_exits_with_0(self):
        ran = program.run("diff", self.bad, self.good)
        self.assertEqual(ran.status, 0, ran.out + ran.err)
        self.assertIn("(gone)", ran.out.split("Better:\n")[1])
        self.assertNotIn("Worse:", ran.out)

    def test_reports_another_selection_and_does_not_count_it(self):
        ran = program.run("diff", self.bad, self.few)
        self.assertEqual(ran.status, 0, ran.out + ran.err)
        self.assertIn("only the old run has", ran.out)

    def test_writes_markdown(self):
        ran = program.run("diff", self.good, self.bad, "--format", "markdown")
        self.assertEqual(ran.status, 1, ran.err)
        self.assertTrue(ran.out.startswith("## What changed\n"), ran.out)
        self.assertIn("| CRASH | new |", ran.out)

    def test_of_something_else_is_one_clear_message(self):
        empty = pathlib.Path(self.folder.name) / "empty"
        empty.mkdir()
        for path in (empty, empty / "nothing.ndjson", __file__):
            with self.subTest(path=path):
                ran = program.run("diff", self.good, path)
                self.assertEqual(ran.status, 2, ran.out + ran.err)
                self.assertEqual(len(ran.complaints()), 1, ran.err)
                self.assertEqual(len(ran.hints()), 1, ran.err)

    def test_reports_take_folders_too(self):
        ran = program.run("report", self.bad)
        self.assertEqual(ran.status, 1, ran.err)
        self.assertIn("does not conform", ran.out)


if __name__ == "__main__":
    unittest.main()
