# tests/runner/update_test.py: run --update updates the list of known deviations with the results of the run.
import pathlib
import shutil
import tempfile
import unittest

import program

QUICK = ("--examples", "5", "--sweep", "0")
MINE = '# Mine.\n\n[[expect]]\ncase = "c-abi/flags/no-such-case"\nverdict = "FAIL"\nmessage = ""\nwhy = "issue 7"\n'


class Update(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.adapter = self.folder / "misbehaving"
        self.adapter.mkdir()
        shutil.copy(program.TOY + "/library.toml", self.adapter)
        (self.adapter / "adapter.py").write_text(f"__file__ = '{program.TOY}/adapter.py'\nexec(open(__file__).read())\n")
        self.list = self.adapter / "expectations.toml"

    def run_toy(self, *more, misdeed=""):
        return program.run("run", "misbehaving", "--adapter", self.adapter, "--format", "quiet", *QUICK, *more,
                           environment={"MISDEED": misdeed})

    def test_adds_what_is_unexpected_so_that_the_next_run_passes(self):
        first = self.run_toy("--select", "c-abi/flags/*", "--update", misdeed="segfault")
        self.assertEqual(first.status, 1, first.err)
        self.assertRegex(first.err, r"expectations.toml: [1-9][0-9]* added, 0 removed, 0 kept\n"
                                    r"  replace each `why` that begins with \"not yet explained\" before you commit the file\n")
        text = self.list.read_text()
        self.assertIn('why = "not yet explained: ', text)
        second = self.run_toy("--select", "c-abi/flags/*", misdeed="segfault")
        self.assertEqual(second.status, 0, second.err)
        third = self.run_toy("--select", "c-abi/flags/*", "--update", misdeed="segfault")
        self.assertIn(": 0 added, 0 removed, ", third.err)
        self.assertNotIn("replace each `why`", third.err)
        self.assertEqual(self.list.read_text(), text)

    def test_takes_out_what_is_no_longer_seen_and_says_why_it_was_there(self):
        self.list.write_text(MINE)
        self.assertEqual(self.run_toy("--select", "c-abi/shape/*").status, 1)
        ran = self.run_toy("--select", "c-abi/shape/*", "--update")
        self.assertIn(": 0 added, 1 removed, 0 kept\n  removed case c-abi/flags/no-such-case (issue 7): ", ran.err)
        self.assertEqual(self.list.read_text(), "# Mine.\n\n")
        self.assertEqual(self.run_toy("--select", "c-abi/shape/*").status, 0)

    def test_keeps_what_a_part_of_the_cases_cannot_show(self):
        text = ('[[expect]]\ncause = "import/release/legacy"\nverdict = "LEAK"\nwhy = "a"\n\n'
                '[[expect]]\nrule = "C-OWN-*"\nverdict = "FAIL"\nmessage = "x"\nwhy = "b"\n')
        self.list.write_text(text)
        for part in (("--select", "c-abi/shape/*"), ("--role", "consumer", "--select", "c-abi/data/*")):
            ran = self.run_toy(*part, "--update")
            self.assertIn(": 0 added, 0 removed, 2 kept", ran.err)
            self.assertEqual(self.list.read_text(), text)

    def test_follows_a_link_to_the_list(self):
        kept = self.folder / "kept.toml"
        kept.write_text(MINE)
        self.list.symlink_to(kept)
        self.run_toy("--select", "c-abi/shape/*", "--update")
        self.assertTrue(self.list.is_symlink())
        self.assertEqual(kept.read_text(), "# Mine.\n\n")

    def test_says_at_once_that_a_file_cannot_be_written(self):
        for place in (self.folder, self.folder / "missing" / "list.toml", "/proc/self/list.toml"):
            ran = self.run_toy("--update", "--expectations", place)
            self.assertEqual(ran.status, 2, ran.err)
            self.assertEqual(len(ran.complaints()), 1, ran.err)
            self.assertIn("cannot be written", ran.err)
            self.assertEqual(len(ran.hints()), 1)

    def test_rewrites_no_list_twice(self):
        ran = program.run("run", "misbehaving", "misbehaving", "--adapter", self.adapter, "--update")
        self.assertEqual((ran.status, ran.complaints()[0].endswith("twice")), (2, True), ran.err)


if __name__ == "__main__":
    unittest.main()
