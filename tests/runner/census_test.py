# tests/runner/census_test.py: the observed choices of libraries are collected.
import json
import pathlib
import tempfile
import unittest

import program

TOY = program.TESTS / "python" / "toy_adapter"
SMALL = ("--examples", 20, "--sweep", 0, "--select", "c-abi/version/*", "--select", "python/capsule/*")


class Census(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_library(self, name, *more):
        return program.run("run", name, *SMALL, *more, "--out", self.folder / name)

    def readings(self, name):
        lines = program.lines_of((self.folder / name / "results.ndjson").read_text(encoding="utf-8"))
        return {line["id"]: [shown["words"] for shown in line["shown"]] for line in lines if line["type"] == "reading"}

    def test_results_say_how_a_library_reads_a_choice(self):
        self.run_library("reference")
        self.assertEqual(self.readings("reference")["A-23"], ["leaves it"])
        self.assertEqual(self.readings("reference")["A-16"], ["refuses it"])

    def test_a_run_lists_them_where_it_is_asked_to_and_counts_them_otherwise(self):
        told = self.run_library("reference", "--census").out
        self.assertIn("\n  Unspecified behaviour:\n    A-", told)
        self.assertIn("the destructor of a consumed capsule: leaves it  [PY-CAPSULE-17]", told)
        told = self.run_library("reference").out
        self.assertNotIn("\n  Unspecified behaviour:", told)
        self.assertRegex(told, r"\nUnspecified behaviour: \d+ choices observed")

    def test_a_report_puts_libraries_side_by_side(self):
        self.run_library("reference")
        adapter = self.folder / "adapter" / "toy"
        adapter.mkdir(parents=True)
        (adapter / "adapter.py").write_text((TOY / "adapter.py").read_text(encoding="utf-8"), encoding="utf-8")
        (adapter / "library.toml").write_text('name = "toy"\nkind = "python"\nroles = ["consumer", "producer"]\n'
                                              'claims = []\nsize_mb = 1\nfork_safe = true\n', encoding="utf-8")
        self.run_library("toy", "--adapter", adapter)
        files = [self.folder / name / "results.ndjson" for name in ("reference", "toy")]
        told = program.run("report", "--census", *files)
        self.assertRegex(told.out, r"A-23  the destructor of a consumed capsule  \[PY-CAPSULE-17\]\n"
                                   r"    reference.*  leaves it\n    toy .*  leaves it\n")
        self.assertNotIn("Summary", told.out)

    def test_reports_have_them(self):
        self.run_library("reference")
        out = self.folder / "reference"
        for name, text in (("report.md", "## Unspecified behaviour"), ("index.html", "<h2>Unspecified behaviour</h2>"),
                           ("junit.xml", 'name="A-23: the destructor')):
            self.assertIn(text, (out / name).read_text(encoding="utf-8"))

    def test_every_choice_is_listed_with_a_rule_that_exists(self):
        listed = json.loads(program.run("list", "choices", "--json").out)
        rules = {rule["id"] for rule in json.loads(program.run("list", "rules", "--json").out)}
        self.assertEqual(len({one["choice"] for one in listed}), 51)
        self.assertEqual({one["rule"] for one in listed} - rules, set())


if __name__ == "__main__":
    unittest.main()
