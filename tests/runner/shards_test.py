# tests/runner/shards_test.py: shards of a run, merged by `report`, are the same as the whole run.
import pathlib
import shlex
import tempfile
import unittest

import program

SELECT = ("c-abi/version/*", "c-abi/flags/*", "c-abi/own/tensor*")
NOT_A_SHARD = ("", "/", "3", "0/3", "4/3", "-1/3", "1/0", "1.5/3", "one/three")


def what(results):
    """What must be the same, beside the cases: everything but times, addresses and commands."""
    causes = {line["id"]: (line["verdict"], line["as_expected"], line["cases"]) for line in results.causes}
    limitations = {line["id"]: (line["verdict"], line["as_expected"]) for line in results.limitations}
    return causes, limitations, results.footer["unexpected"], results.footer.get("stale")


def read(folder):
    return program.Results((folder / "results.ndjson").read_text())


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def shards(self, count, misdeed, *more):
        folders = []
        for number in range(1, count + 1):
            folders.append(self.out / f"shard-{number}")
            program.judge(misdeed, select=SELECT, more=["--shard", f"{number}/{count}", "--out", folders[-1], *more])
        return folders

    def same(self, merged, whole):
        self.assertEqual(what(merged), what(whole))
        self.assertEqual(list(merged.cases), list(whole.cases))
        for case, line in merged.cases.items():
            other = whole.cases[case]
            # A run of all cases runs a blocked case again without the cause. A shard does not see that it is blocked.
            if line["verdict"] != "BLOCKED":
                self.assertEqual((line["verdict"], line["as_expected"], line.get("cause")),
                                 (other["verdict"], other["as_expected"], other.get("cause")), case)

    def test_merged_are_the_whole_run(self):
        expected = self.out / "expected.toml"
        expected.write_text('[[expect]]\ncase = "c-abi/own/*"\nverdict = "FAIL"\nmessage = "no such message"\nwhy = "stale"\n')
        for misdeed in ("", "segfault"):
            with self.subTest(misdeed=misdeed):
                more = ["--expectations", expected, "--sweep", 0]
                whole, results = program.judge(misdeed, select=SELECT, more=more)
                folders = self.shards(2, misdeed, *more)
                merged = program.run("report", *folders, "--out", self.out / "merged")
                self.assertEqual(merged.status, whole.status, merged.err)
                self.same(read(self.out / "merged"), results)
                self.assertLess(max(len(read(folder).cases) for folder in folders), len(results.cases))
                self.assertNotIn("shard", read(self.out / "merged").header)

    def test_a_merged_report_has_the_scripts_and_examples_of_the_shards(self):
        folders = self.shards(2, "segfault")
        # As after the download of artifacts: the folders are not where the shards wrote them.
        moved = [folder.rename(self.out / f"moved {folder.name}") for folder in folders]
        merged = self.out / "merged"
        ran = program.run("report", *moved, "--out", merged)
        self.assertEqual((ran.status, ran.err), (1, ""))
        for kind in ("findings", "causes"):
            names = {path.name for folder in moved for path in (folder / kind).iterdir()}
            self.assertTrue(names)
            self.assertEqual({path.name for path in (merged / kind).iterdir()}, names)
        results = read(merged)
        scripts = [line["reproducer"] for line in results.cases.values() if line.get("reproducer")]
        self.assertTrue(scripts)
        for script in scripts:
            self.assertTrue((merged / script).is_file(), script)
            self.assertIn(f"{merged}/{script}", ran.out)
        for cause in results.causes:
            self.assertIn(f"{merged}/causes/", cause["replay"])
        replay = shlex.split(results.causes[0]["replay"])[1:]
        self.assertEqual(program.run(*replay, "--adapter", program.TOY).status, 1)
        # Without --out nothing is copied. The commands name the files where they are.
        ran = program.run("report", *moved)
        self.assertIn(f"'{moved[0]}/causes/", ran.out)

    def test_a_report_of_a_lone_result_file_names_no_script(self):
        _, _ = program.judge("segfault", select=SELECT, more=["--out", self.out / "run"])
        lone = self.out / "lone.ndjson"
        (self.out / "run" / "results.ndjson").rename(lone)
        program.run("report", lone, "--out", self.out / "again")
        self.assertEqual([line["reproducer"] for line in read(self.out / "again").cases.values() if line["reproducer"]], [])
        self.assertNotIn("findings/", (self.out / "again" / "index.html").read_text())

    def test_a_missing_or_doubled_shard_is_named(self):
        one, two = self.shards(2, "")
        ran = program.run("report", one)
        self.assertEqual((ran.status, ran.out), (2, ""), ran.err)
        self.assertIn("shard 2/2 is missing", ran.err)
        ran = program.run("report", one, two, one)
        self.assertEqual((ran.status, ran.out), (2, ""), ran.err)
        self.assertIn(f"shard 1/2 is in {one}/results.ndjson and in {one}/results.ndjson", ran.err)
        ran = program.run("report", self.out)
        self.assertEqual((ran.status, ran.err), (1, ""))

    def test_shards_of_different_runs_are_not_merged(self):
        one, _ = self.shards(2, "")
        program.judge(select=SELECT, more=["--shard", "2/2", "--out", self.out / "other", "--run-id", "another"])
        ran = program.run("report", one, self.out / "other")
        self.assertEqual(ran.status, 2, ran.err)
        self.assertIn("its --run-id differs", ran.err)

    def test_a_shard_without_a_case_has_a_result_file_too(self):
        folders = []
        for number in (1, 2, 3):
            folders.append(self.out / f"shard-{number}")
            ran, _ = program.judge(select=["c-abi/data/byte-offset-is-added"],
                                   more=["--shard", f"{number}/3", "--out", folders[-1]])
            self.assertEqual(ran.status, 0, ran.err)
        ran = program.run("report", *folders, "--out", self.out / "merged")
        self.assertEqual(ran.status, 0, ran.err)
        self.assertEqual(list(read(self.out / "merged").cases), ["c-abi/data/byte-offset-is-added"])

    def test_mutants_and_findings_are_divided_too(self):
        names = ["adds-byte-offset-twice", "ignores-byte-offset", "rounds-byte-offsets-to-items"]
        seen = []
        for number in (1, 2):
            ran = program.run("mutants", *names, "--select", "c-abi/data/*", "--shard", f"{number}/2", "--json")
            self.assertEqual(ran.status, 0, ran.err)
            seen += [row["mutant"] for row in program.json.loads(ran.out)["mutants"]]
        self.assertEqual(sorted(seen), names)
        program.judge("segfault", select=SELECT, more=["--out", self.out / "bad"])
        whole = program.run("replay", self.out / "bad" / "findings")
        lines = []
        for number in (1, 2):
            ran = program.run("replay", self.out / "bad" / "findings", "--shard", f"{number}/2")
            lines += [line for line in ran.out.splitlines() if ".json: " in line]
        self.assertEqual(sorted(lines), sorted(line for line in whole.out.splitlines() if ".json: " in line))

    def test_a_malformed_shard_is_one_clear_message(self):
        for command in (("run", "reference"), ("interop", "reference", "numpy"), ("mutants",), ("replay", "folder")):
            for text in NOT_A_SHARD:
                with self.subTest(command=command, text=text):
                    ran = program.run(*command, f"--shard={text}")
                    self.assertEqual((ran.status, ran.out), (2, ""), ran.err)
                    self.assertEqual(len(ran.complaints()), 1, ran.err)
                    self.assertIn("--shard", ran.err)


if __name__ == "__main__":
    unittest.main()
