# tests/runner/out_folder_test.py: a run owns what it writes into --out; `report` believes no file, and writes where it is told.
import json
import pathlib
import tempfile
import unittest

import program

QUICK = ("run", "misbehaving", "--adapter", program.TOY, "--examples", "3")
FLAGS = (*QUICK, "--select", "c-abi/flags/*")


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def findings(self):
        return {file.name for file in (self.out / "findings").iterdir()}


class Findings(Folder):
    def test_of_an_earlier_run_go(self):
        program.run(*FLAGS, "--out", self.out, environment={"MISDEED": "segfault"})
        self.assertIn("c-abi.flags.unknown-flags-are-noticed.json", self.findings())
        self.assertIn("c-abi.flags.unknown-flags-are-noticed.py", self.findings())
        program.run(*QUICK, "--select", "c-abi/version/*", "--out", self.out)
        self.assertEqual({name for name in self.findings() if name.startswith("c-abi.flags")}, set())

    def test_of_a_stranger_stay(self):
        findings = self.out / "findings"
        findings.mkdir(parents=True)
        mine = {"notes.json": '{"case": "mine"}', "c-abi.flags.other.json": '{"finding": 1, "case": "c-abi/flags/more"}',
                "deep.json": "[" * 200000, "script.py": "print('mine')\n", "latin.json": "\xe9"}
        for name, text in mine.items():
            (findings / name).write_text(text, encoding="latin-1")
        outside = self.folder / "outside.json"
        outside.write_text('{"finding": 1, "case": "c-abi/flags/some"}')
        (findings / "c-abi.flags.some.json").symlink_to(outside)
        program.run(*FLAGS, "--out", self.out)
        for name, text in mine.items():
            self.assertEqual((findings / name).read_text(encoding="latin-1"), text)
        self.assertTrue((findings / "c-abi.flags.some.json").is_symlink())
        self.assertTrue(outside.exists())

    def test_are_not_written_through_a_link(self):
        findings = self.out / "findings"
        findings.mkdir(parents=True)
        outside = self.folder / "precious"
        outside.write_text("precious")
        name = "c-abi.flags.unknown-flags-are-noticed.json"
        (findings / name).symlink_to(outside)
        ran = program.run(*FLAGS, "--out", self.out, environment={"MISDEED": "segfault"})
        self.assertEqual(ran.status, 2)
        self.assertIn(name, ran.err)
        self.assertEqual(outside.read_text(), "precious")


class AReport(Folder):
    @classmethod
    def setUpClass(cls):
        cls.lines = program.run(*FLAGS, "--format", "json").out.splitlines()

    def write(self, name, header=None, footer=None, lines=None):
        first, last = json.loads(self.lines[0]), json.loads(self.lines[-1])
        first.update(header or {})
        last.update(footer or {})
        file = self.folder / name
        middle = self.lines[1:-1] if lines is None else lines
        file.write_text("\n".join([json.dumps(first), *middle, json.dumps(last)]) + "\n")
        return file

    def report(self, *files):
        return program.run("report", *files, "--out", self.out)

    def folders(self):
        return {str(file.relative_to(self.folder).parent) for file in self.folder.rglob("index.html")}

    def test_stays_below_its_folder_whatever_a_library_is_called(self):
        files = [self.write(f"{i}.ndjson", {"library": name})
                 for i, name in enumerate(("../../x", "/etc", "..", "", "a/b", "a\nb", "x" * 5000))]
        ran = self.report(*files)
        self.assertEqual(ran.complaints(), [], ran.err)
        self.assertEqual(len(self.folders()), len(files))
        for folder in self.folders():
            self.assertEqual(pathlib.Path(folder).parent, pathlib.Path("out"))

    def test_keeps_two_versions_of_one_library_apart(self):
        ran = self.report(self.write("1.ndjson", {"library_version": "1"}), self.write("2.ndjson", {"library_version": "2"}),
                          self.write("3.ndjson", {"library_version": "2"}))
        self.assertEqual(ran.complaints(), [])
        self.assertEqual(self.folders(), {"out/misbehaving-1", "out/misbehaving-2", "out/misbehaving-2-2"})

    def test_believes_no_footer_that_the_lines_contradict(self):
        counts = json.loads(self.lines[-1])["counts"]
        unexpected = [line.replace('"as_expected":true', '"as_expected":false') for line in self.lines[1:-1]]
        for options in ({"footer": {"counts": {"PASS": 1000}}}, {"footer": {"counts": {**counts, "FAIL": 0}}},
                        {"lines": self.lines[2:-1]}, {"lines": self.lines[1:-1] + self.lines[1:2]},
                        {"lines": unexpected, "footer": {"unexpected": 0}}):
            ran = self.report(self.write("results.ndjson", **options))
            self.assertEqual((ran.status, len(ran.complaints()), len(ran.hints())), (2, 1, 1), ran.err)
            self.assertIn("the footer's counts are not those of the lines", ran.err)

    def test_refuses_what_is_nested_too_deep(self):
        deep = json.loads(self.lines[1])
        deep["recipe"] = "DEEP"
        text = json.dumps(deep).replace('"DEEP"', '{"a":' * 200000 + "1" + "}" * 200000)
        ran = self.report(self.write("results.ndjson", lines=[text]))
        self.assertEqual((ran.status, len(ran.complaints())), (2, 1), ran.err[-500:])
        self.assertIn("line 2: this is nested more than 100 levels deep", ran.err)

    def test_of_a_finding_that_is_nested_too_deep_is_none(self):
        file = self.folder / "finding.json"
        file.write_text('{"finding":1,"case":"c","library":"l","recipe":' + "[" * 200000 + "]" * 200000 + "}")
        ran = program.run("replay", file)
        self.assertEqual((ran.status, len(ran.complaints()), len(ran.hints())), (2, 1, 1), ran.err[-500:])
        self.assertIn("is nested more than 100 levels deep", ran.err)


class SeveralLibraries(Folder):
    def test_are_printed_in_the_order_given_with_two_workers_or_one(self):
        def order(jobs):
            ran = program.run("run", "reference", "misbehaving", "reference-native", "--adapter", program.TOY, "--select",
                              "c-abi/flags/*", "--examples", "3", "--format", "json", "-j", jobs)
            return [(line["type"], line.get("library"), line.get("case")) for line in program.lines_of(ran.out)]

        self.assertEqual(order(1), order(3))
        self.assertEqual([library for kind, library, _ in order(3) if kind == "header"],
                         ["reference", "misbehaving", "reference-native"])


if __name__ == "__main__":
    unittest.main()
