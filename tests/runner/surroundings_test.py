# tests/runner/surroundings_test.py: a small stack, a removed working folder, and the effect of --seed and -j.
import pathlib
import re
import resource
import tempfile
import unittest

import program

SELECT = ("--select", "c-abi/flags/*", "--select", "c-abi/version/*")


class TheProgram(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_needs_a_stack_of_64_kilobytes(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (64 << 10, 64 << 10))

        ran = program.run("list", "cases", preexec_fn=limit)
        self.assertEqual((ran.status, ran.err), (0, ""))
        ran = program.run("run", "reference-native", "--out", self.folder / "out", preexec_fn=limit)
        self.assertEqual((ran.status, ran.complaints()), (0, []), ran.out[-2000:])

    def gone(self):
        """A folder that is gone as soon as the program stands in it."""
        folder = self.folder / "gone"
        folder.mkdir()
        return {"cwd": folder, "preexec_fn": folder.rmdir}

    def test_needs_no_working_folder(self):
        for library in ("reference-native", "reference"):
            ran = program.run("run", library, *SELECT, "--out", self.folder / "out", **self.gone())
            self.assertEqual((ran.status, ran.complaints()), (0, []), ran.out[-2000:])
        ran = program.run("report", self.folder / "out" / "results.ndjson", **self.gone())
        self.assertEqual((ran.status, ran.complaints()), (0, []))

    def test_says_which_path_means_nothing_where_the_working_folder_is_gone(self):
        for arguments in (("run", "reference", "--out", "out"), ("run", "mine", "--adapter", "../mine"),
                          ("run", "reference", "--python", "./env"), ("replay", "finding.json"),
                          ("report", "results.ndjson"), ("run", "reference", "--pythonpath", "lib")):
            ran = program.run(*arguments, **self.gone())
            self.assertEqual((ran.status, len(ran.complaints()), len(ran.hints())), (2, 1, 1), ran.err)
            self.assertIn(f"the working folder no longer exists, so the path {arguments[-1]} cannot be found", ran.err)

    def test_survives_a_library_that_removes_the_working_folder(self):
        here = self.folder / "here"
        here.mkdir()
        adapter = self.folder / "adapter"
        adapter.mkdir()
        (adapter / "library.toml").write_text('name = "mine"\nkind = "python"\nroles = ["consumer"]\n')
        (adapter / "adapter.py").write_text(
            "import os, shutil\nshutil.rmtree(os.environ['HERE'], ignore_errors=True)\n" +
            (program.TESTS / "python" / "toy_adapter" / "adapter.py").read_text())
        ran = program.run("run", "mine", "--adapter", adapter, *SELECT, "--out", "out", "--examples", 5, cwd=here,
                          environment={"HERE": str(here)})
        self.assertEqual(ran.complaints(), [])
        results = program.Results((here / "out" / "results.ndjson").read_text())
        self.assertNotIn("CRASH", results.footer["counts"])


class TheSeed(unittest.TestCase):
    def seed(self, *arguments):
        ran = program.run("run", "reference-native", "--select", "c-abi/flags/copy-*", "--examples", 3, "--format",
                          "json", *arguments)
        self.assertEqual(ran.status, 0, ran.err)
        printed = re.search(r"^dlpack-cts: seed ([0-9]+)$", ran.err, re.MULTILINE)
        self.assertEqual(int(printed[1]), program.Results(ran.out).header["seed"])
        return int(printed[1])

    def test_is_fixed_unless_one_is_given(self):
        self.assertEqual(self.seed(), self.seed())
        self.assertEqual(self.seed("--seed", 7), 7)

    def test_is_drawn_on_demand(self):
        self.assertGreater(len({self.seed("--seed", "random") for _ in range(3)}), 1)


class SlowLibraries(unittest.TestCase):
    def test_are_asked_less_unless_the_user_says_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            adapter = pathlib.Path(folder)
            (adapter / "library.toml").write_text('name = "slow"\nkind = "python"\nroles = ["consumer"]\nexamples = 7\n')
            (adapter / "adapter.py").write_text(
                (program.TESTS / "python" / "toy_adapter" / "adapter.py").read_text())
            for more, examples, said in (((), 7, "library.toml"), (("--examples", "9"), 9, None)):
                ran = program.run("run", "slow", "--adapter", adapter, *SELECT, "--out", out, *more)
                self.assertEqual(ran.complaints(), [])
                results = program.Results((out / "results.ndjson").read_text())
                self.assertEqual((results.header["examples"], results.header.get("examples_from")), (examples, said))
                self.assertLessEqual(max(line["examples"] for line in results.lines), 20 * examples)
                self.assertIn(f"--examples {examples}", results.lines[0]["replay"])
                report = (out / "report.md").read_text()
                self.assertIn(f"{examples} examples" + (" (lowered in library.toml)" if said else ""), report)
            self.assertEqual(program.run("report", out / "results.ndjson").complaints(), [])

    def test_cannot_be_asked_more(self):
        with tempfile.TemporaryDirectory() as folder:
            for value in ("0", "-1", "101", '"x"', "1.5"):
                (pathlib.Path(folder) / "library.toml").write_text(
                    f'name = "slow"\nkind = "python"\nroles = ["consumer"]\nexamples = {value}\n')
                ran = program.run("run", "slow", "--adapter", folder)
                self.assertEqual((ran.status, len(ran.complaints())), (2, 1))
                self.assertIn('the field "examples" is', ran.err)


if __name__ == "__main__":
    unittest.main()
