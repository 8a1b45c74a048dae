# tests/runner/continuous_test.py: what a run says in continuous integration.
import pathlib
import tempfile
import unittest

import program

SELECT = ["c-abi/flags/*"]
CONSUMER = ["--role", "consumer"]  # the toy does not flag its copies


class OnGitHub(unittest.TestCase):
    def run_there(self, misdeed, *more, actions="true", summary=None):
        environment = {"GITHUB_ACTIONS": actions, "GITHUB_STEP_SUMMARY": summary or ""}
        ran, _ = program.judge(misdeed, select=SELECT, more=[*CONSUMER, *more], environment=environment)
        return ran, [line for line in ran.err.splitlines() if line.startswith("::")]

    def test_annotates_what_is_unexpected_and_writes_the_summary(self):
        with tempfile.TemporaryDirectory() as folder:
            summary = pathlib.Path(folder) / "summary.md"
            summary.write_text("before\n")
            ran, lines = self.run_there("segfault", summary=str(summary))
            self.assertEqual(ran.status, 1, ran.err)
            self.assertEqual(len(lines), 1, ran.err)
            self.assertRegex(lines[0], r"^::error title=misbehaving 1\.0%3A CRASH [A-Z0-9-]+::.*SIGSEGV")
            page = summary.read_text()
            self.assertTrue(page.startswith("before\n# DLPack conformance of misbehaving"), page[:200])

    def test_annotates_nothing_if_everything_is_as_expected(self):
        ran, lines = self.run_there("")
        self.assertEqual((ran.status, lines), (0, []), ran.err)

    def test_annotates_elsewhere_only_on_request(self):
        self.assertEqual(self.run_there("segfault", actions="")[1], [])
        self.assertEqual(len(self.run_there("segfault", "--annotations", actions="")[1]), 1)

    def test_says_so_if_the_summary_cannot_be_written(self):
        ran, _ = self.run_there("", summary="/nowhere/summary.md")
        self.assertEqual(ran.status, 0, ran.err)
        self.assertIn("GITHUB_STEP_SUMMARY", ran.err)


class Quiet(unittest.TestCase):
    def test_prints_a_line_for_each_unexpected_cause_and_nothing_else(self):
        for misdeed, lines in (("segfault", 1), ("", 0)):
            ran = program.run("run", "misbehaving", "--adapter", program.TOY, "--select", *SELECT, *CONSUMER, "--examples", 10,
                              "--format", "quiet", environment={"MISDEED": misdeed})
            self.assertEqual(len(ran.out.splitlines()), lines, ran.out)
            if lines:
                self.assertRegex(ran.out, r"^misbehaving 1\.0: CRASH [A-Z0-9-]+ import/\S+: .*SIGSEGV")


class FailOn(unittest.TestCase):
    def test_never_is_never(self):
        ran, results = program.judge("segfault", select=SELECT, more=["--fail-on", "never"])
        self.assertEqual(ran.status, 0, ran.err)
        self.assertEqual(results.footer["unexpected"], 0)
        self.assertIn("CRASH", results.footer["counts"])
        self.assertTrue(all(line["as_expected"] for line in results.cases.values()))

    def test_fail_counts_a_crash(self):
        self.assertEqual(program.judge("segfault", select=SELECT, more=["--fail-on", "fail"])[0].status, 1)


class SkipStatus(unittest.TestCase):
    def run_with(self, status, *select, libraries=("reference",)):
        return program.run("run", *libraries, "--select", *select, "--examples", 10, "--skip-status", status, "--format",
                           "quiet").status

    def test_is_the_exit_status_only_if_no_case_was_judged(self):
        nothing, something = "cuda/order/*", "c-abi/flags/copy-is-flagged"
        self.assertEqual(self.run_with(77, nothing), 77)
        self.assertEqual(self.run_with(0, nothing), 0)
        self.assertEqual(self.run_with(77, nothing, something), 0)
        self.assertEqual(program.judge("segfault", select=SELECT, more=["--skip-status", "77"])[0].status, 1)

    def test_is_a_number_that_a_process_can_end_with(self):
        for wrong in ("-1", "256", "x"):
            self.assertEqual(self.run_with(wrong, "c-abi/flags/*"), 2, wrong)


class Deselect(unittest.TestCase):
    def test_leaves_cases_out(self):
        _, all_of_them = program.judge(select=SELECT)
        _, fewer = program.judge(select=SELECT, more=["--deselect", "*/copy-is-flagged"])
        self.assertEqual(set(all_of_them.cases) - set(fewer.cases), {"c-abi/flags/copy-is-flagged"})


if __name__ == "__main__":
    unittest.main()
