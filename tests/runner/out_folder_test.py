# tests/runner/out_folder_test.py: a run replaces only its own files in --out; `report` checks its input files and writes into --out.
import json
import os
import pathlib
import shlex
import shutil
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

    def test_replay_with_the_options_of_their_run(self):
        adapter, beside = self.folder / "misbehaving", self.folder / "a b"
        adapter.mkdir()
        shutil.copy(program.TOY + "/library.toml", adapter)
        (adapter / "adapter.py").write_text(f"import module_beside\n__file__ = '{program.TOY}/adapter.py'\n"
                                            "exec(open(__file__).read())\n")
        beside.mkdir()
        (beside / "module_beside.py").touch()
        misdeed = {"MISDEED": "segfault"}
        ran = program.run("run", "misbehaving", "--adapter", adapter, "--pythonpath", "a b", "--examples", "3", "--timeout", "2.5",
                          "--memory", "3000", "--select", "c-abi/flags/unknown*", "--format", "json", "--out", self.out,
                          environment=misdeed, cwd=self.folder)
        line = next(iter(program.Results(ran.out).cases.values()))
        words = shlex.split(line["replay"])
        self.assertEqual(words[0], "dlpack-cts")
        again = program.run(*words[1:], "--format", "json", environment=misdeed, cwd=self.folder)
        self.assertEqual(program.lines_of(again.out)[1]["replay"], line["replay"])
        self.assertEqual(program.lines_of(again.out)[1]["verdict"], line["verdict"])
        for option in ("--pythonpath 'a b'", "--timeout 2.5", "--memory 3000", "--examples 3"):
            self.assertIn(option, line["replay"])
        finding = self.out / "findings" / "c-abi.flags.unknown-flags-are-noticed.json"
        replayed = program.run("replay", finding, "--format", "json", environment=misdeed, cwd="/")
        self.assertEqual(program.lines_of(replayed.out)[1]["verdict"], line["verdict"], replayed.err)

    def test_of_a_cause_show_it_again(self):
        misdeed = {"MISDEED": "segfault"}
        ran = program.run(*FLAGS, "--timeout", "4", "--sweep", "50", "--format", "json", "--out", self.out, environment=misdeed)
        causes = program.Results(ran.out).causes
        self.assertTrue(causes)
        for cause in causes:
            self.assertRegex(cause["words"]["example"], r"^\w+, shape \(")
            words = shlex.split(cause["replay"])
            self.assertEqual(words[:2] + words[3:], ["dlpack-cts", "replay", "--timeout", "4.0"])
            self.assertEqual(os.path.dirname(words[2]), str(self.out / "causes"))
            shown = program.lines_of(program.run(*words[1:], "--format", "json", environment=misdeed, cwd="/").out)[1]
            facts = [deviation["fact"] for deviation in shown.get("deviations", [{"fact": shown["fact"]}])]
            self.assertIn(shown["verdict"], (cause["verdict"], "NOTE"))
            if "." in cause["fact"]:
                self.assertTrue(facts[0].endswith(cause["fact"].split(".", 1)[1]), (facts, cause["fact"]))
        (self.out / "causes" / "notes.json").write_text('{"cause": "notes", "case": "mine"}')
        program.run(*QUICK, "--select", "c-abi/shape/*", "--out", self.out)
        left = {file.name for file in (self.out / "causes").iterdir()}
        self.assertIn("notes.json", left)
        self.assertFalse(left & {pathlib.Path(shlex.split(cause["replay"])[2]).name for cause in causes
                                 if cause["id"] != "export/capsule"}, "what the second run did not show")

    def test_are_in_no_folder_that_a_link_leads_to(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.out.mkdir()
        (self.out / "findings").symlink_to(elsewhere)
        ran = program.run(*FLAGS, "--out", self.out, environment={"MISDEED": "segfault"})
        self.assertEqual((ran.status, len(ran.complaints()), len(ran.hints())), (2, 1, 1), ran.err)
        self.assertIn("findings is a symbolic link", ran.err)
        self.assertEqual(list(elsewhere.iterdir()), [])
        self.assertTrue((self.out / "results.ndjson").exists())


class WhatLiesInTheWay(Folder):
    NAMES = ("results.ndjson", "junit.xml", "report.md", "index.html", ".dlpack-cts-probe",
             "findings/c-abi.flags.unknown-flags-are-noticed.json", "findings/c-abi.flags.unknown-flags-are-noticed.py")

    def check(self):
        """Every file is written, is a file of its own, and nothing is left beside them."""
        ran = program.run(*FLAGS, "--out", self.out, environment={"MISDEED": "segfault"}, seconds=60)
        self.assertEqual((ran.status, ran.complaints()), (1, []), ran.err)
        for name in self.NAMES:
            path = self.out / name
            if name == ".dlpack-cts-probe":
                self.assertFalse(os.path.lexists(path))
                continue
            self.assertTrue(path.is_file() and not path.is_symlink(), name)
            self.assertGreater(path.stat().st_size, 100, name)
            self.assertEqual(path.stat().st_mode & 0o777, 0o666 & ~self.umask(), name)
        program.Results((self.out / "results.ndjson").read_text())
        self.assertEqual([file for file in self.out.rglob(".*")], [])
        return ran

    @staticmethod
    def umask():
        mask = os.umask(0)
        os.umask(mask)
        return mask

    def lay(self, make):
        (self.out / "findings").mkdir(parents=True)
        for name in self.NAMES:
            make(self.out / name)

    def test_as_a_link_is_replaced_and_not_followed(self):
        outside = self.folder / "precious"
        outside.write_text("precious")
        self.lay(lambda path: path.symlink_to(outside))
        self.check()
        self.assertEqual(outside.read_text(), "precious")

    def test_as_a_link_to_nowhere_is_replaced(self):
        self.lay(lambda path: path.symlink_to(self.folder / "nowhere"))
        self.check()
        self.assertFalse((self.folder / "nowhere").exists())

    def test_as_a_second_name_of_a_file_leaves_the_first(self):
        outside = self.folder / "precious"
        outside.write_text("precious")
        self.lay(lambda path: os.link(outside, path))
        self.check()
        self.assertEqual(outside.read_text(), "precious")

    def test_as_a_fifo_hangs_nobody(self):
        self.lay(os.mkfifo)
        self.check()

    def test_as_half_a_file_is_replaced(self):
        self.lay(lambda path: path.write_text('{"type": "header", "finding'))
        self.check()

    def test_is_as_harmless_to_the_reports_of_a_file(self):
        program.run(*FLAGS, "--out", self.folder / "first")
        outside = self.folder / "precious"
        outside.write_text("precious")
        self.out.mkdir()
        (self.out / "index.html").symlink_to(outside)
        os.mkfifo(self.out / "junit.xml")
        ran = program.run("report", self.folder / "first" / "results.ndjson", "--out", self.out, seconds=60)
        self.assertEqual(ran.complaints(), [])
        self.assertEqual(outside.read_text(), "precious")
        self.assertTrue((self.out / "junit.xml").is_file())


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
        return {str(file.relative_to(self.folder).parent) for file in self.folder.rglob("results.ndjson")}

    def test_stays_below_its_folder_whatever_a_library_is_called(self):
        files = [self.write(f"{i}.ndjson", {"library": name})
                 for i, name in enumerate(("../../x", "/etc", "..", "", "a/b", "a\nb", "x" * 5000))]
        ran = self.report(*files)
        self.assertEqual(ran.complaints(), [], ran.err)
        self.assertEqual(len(self.folders()), len(files))
        pages = list((self.folder / "out" / "libraries").glob("*.html"))
        self.assertEqual(len(pages), len(files))
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
            self.assertIn("the counts in the footer do not match the result lines", ran.err)

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
