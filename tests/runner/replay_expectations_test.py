# tests/runner/replay_expectations_test.py: a replay judges by the list of known deviations that the run judged by.
import pathlib
import tempfile
import unittest

import program

SELECT = ["--select", "c-abi/flags/*", "--role", "consumer", "--examples", 10]
LIST = """[[expect]]
cause = "{cause}"
verdict = "CRASH"
why = "our list has it"
"""


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.list = cls.folder / "known.toml"
        cls.list.write_text("", encoding="utf-8")
        status, results = cls.run_toy()
        cls.list.write_text(LIST.format(cause=results.causes[0]["id"]), encoding="utf-8")
        cls.status, cls.results = cls.run_toy()
        cls.causes = cls.folder / "out" / "causes"
        [cls.finding] = cls.causes.glob("*.json")

    @classmethod
    def run_toy(cls):
        ran = program.run("run", "misbehaving", "--adapter", program.TOY, *SELECT, "--expectations", cls.list,
                          "--out", cls.folder / "out", "--format", "json", environment={"MISDEED": "segfault"})
        return ran.status, program.Results(ran.out)

    def replay(self, *words):
        return program.run("replay", *words, environment={"MISDEED": "segfault"})

    def test_of_one_file_finds_the_deviation_known(self):
        self.assertEqual(self.status, 0)
        ran = self.replay(self.finding)
        self.assertEqual(ran.status, 0, ran.out + ran.err)
        self.assertIn("our list has it", ran.out)

    def test_of_a_folder_finds_it_known(self):
        ran = self.replay(self.causes)
        self.assertEqual(ran.status, 0, ran.out + ran.err)
        self.assertRegex(ran.out, r"(?m)^known +")

    def test_prefers_the_list_that_is_given(self):
        other = self.folder / "other.toml"
        other.write_text("", encoding="utf-8")
        ran = self.replay(self.finding, "--expectations", other)
        self.assertEqual(ran.status, 1, ran.out + ran.err)

    def test_says_so_if_the_list_is_gone(self):
        away = self.list.rename(self.folder / "away.toml")
        try:
            ran = self.replay(self.finding)
        finally:
            away.rename(self.list)
        self.assertEqual(ran.status, 1, ran.out + ran.err)
        self.assertIn("known.toml", ran.err)
        self.assertIn("--expectations", ran.err)


if __name__ == "__main__":
    unittest.main()
