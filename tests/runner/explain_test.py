# tests/runner/explain_test.py: explain knows every kind of word that a report prints; list prints answers one by one.
import json
import pathlib
import re
import shutil
import tempfile
import unittest

import program


class Explain(unittest.TestCase):
    def explain(self, *arguments):
        ran = program.run("explain", *arguments)
        self.assertEqual((ran.status, ran.err), (0, ""), arguments)
        return ran.out

    def test_knows_every_kind_in_any_case_of_letters(self):
        for word, first in (("c-strides-03", "C-STRIDES-03  (consumer"), ("C-Strides", "C-STRIDES  (a chapter with "),
                            ("C-ABI/data/byte-offset-is-added", "c-abi/data/byte-offset-is-added  (consumer)"),
                            ("a-16", "A-16  (a choice"), ("blocked", "BLOCKED  (a verdict)"), ("WARN", "WARN  (a verdict)"),
                            ("Trigger", "trigger  (a word of docs/glossary.md)"),
                            ("first-violated-fact", "first violated fact  (a word"),
                            ("invalid-input", "invalid input  (a mark"), ("Must", "MUST  (the strength of a rule)"),
                            ("re-export", "reexport  (a step"), ("byte_offset", "byte-offset  (a trigger"),
                            ("c-abi/strides", "c-abi/strides  ("), ("Robustness", "robustness  ("),
                            ("hostile", "hostile  (a field of results.ndjson)\n  of a result: true for invalid input"),
                            ("run-id", "run_id  (a field of results.ndjson)"), ("Zero-size", "zero-size is called empty here.\nempty  (a trigger"),
                            ("Seed", "seed  (a term of reports)"), ("segfault", "segfault is called CRASH here.\nCRASH  (a verdict)"),
                            ("Import/Place/Byte-Offset", "import/place/byte-offset\n"),
                            ("earlier-exchanges", "earlier-exchanges\n"),
                            ("limit/import-object/producer=foreign", "limit/import-object/producer=foreign\n")):
            with self.subTest(word):
                self.assertTrue(self.explain(word).startswith(first), self.explain(word))

    def test_knows_every_field_of_a_result_file(self):
        schema = json.loads((program.TESTS.parent / "results" / "results.schema.json").read_text())
        lines = ("header", "result", "cause", "reading", "footer")
        fields = {name for line in lines for name in schema["definitions"][line]["properties"]}
        for field in sorted(fields):
            with self.subTest(field):
                self.explain(field)

    def test_suggests_words_of_every_kind(self):
        for word, near in (("C-STRIDE-03", "C-STRIDES-03"), ("A-161", "A-16"), ("BLOKED", "BLOCKED"), ("triger", "trigger"),
                           ("import/place/byte-ofset", "import/place/byte-offset"),
                           ("inport/plaec/byte-offset", "import/place/byte-offset"),
                           ("c-abi/data/byte-offset-is-aded", "c-abi/data/byte-offset-is-added")):
            with self.subTest(word):
                ran = program.run("explain", word)
                self.assertEqual(ran.status, 2)
                self.assertRegex(ran.hints()[0], f"did you mean .*{re.escape(near)}")

    def test_suggests_a_word_of_the_glossary_before_ids_that_contain_it(self):
        for word, near in (("claims", "claim"), ("recipes", "recipe"), ("offers", "offer")):
            with self.subTest(word):
                self.assertRegex(program.run("explain", word).hints()[0], rf"did you mean {near}[,?]")

    def test_names_the_rules_that_have_an_unknown_word(self):
        hint = program.run("explain", "exchange table").hints()[0]
        self.assertRegex(hint, "rules that name it: .*XAPI-USE-01")

    def test_names_the_one_rule_that_a_run_accuses(self):
        for cause, rule in (("import/outcome/no-memory", "C-DATA-08"), ("import/outcome/minor-0", "C-VERSION-08"),
                            ("import/outcome/major-0", "C-VERSION-05"), ("import/asks/PY-MAXVER-15", "PY-MAXVER-15")):
            with self.subTest(cause):
                self.assertEqual(re.findall(r"^  violated rule: ([A-Z0-9-]+)", self.explain(cause), re.MULTILINE)[-1:], [rule])

    def test_says_on_what_the_rule_depends(self):
        out = self.explain("export/table/step-table-find")
        self.assertIn("The attribution table names one of these rules", out)
        self.assertIn("XAPI-DISC-05, if the first violated fact is tableS.changed: ", out)
        self.assertIn("export/table/step-table-find --in OUT", out)

    def test_every_choice_has_a_question_and_answers(self):
        listed = json.loads(program.run("list", "choices", "--json").out)
        one = next(row for row in listed if row["answers"])
        out = self.explain(one["choice"])
        for text in (one["question"], *one["answers"], one["rule"] + ": "):
            self.assertIn(text, out)


class InResults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        library, cls.out = pathlib.Path(folder.name) / "library", pathlib.Path(folder.name) / "out"
        shutil.copytree(program.TESTS.parent / "examples" / "python-adapter", library)
        source = (library / "strided.py").read_text()
        (library / "strided.py").write_text(source.replace("tensor.data + tensor.byte_offset", "tensor.data"))
        ran = program.run("run", "--adapter", library, "--select", "c-abi/data/byte-offset-*", "--examples", "10", "--out", cls.out)
        assert ran.status == 1, ran.err
        lines = program.lines_of((cls.out / "results.ndjson").read_text())
        cls.cause = next(line for line in lines if line["type"] == "cause" and line["verdict"] == "FAIL")

    def test_explain_prints_rule_and_example_for_a_shortened_id(self):
        ran = program.run("explain", self.cause["id"][7:].upper(), "--in", self.out)
        self.assertEqual((ran.status, ran.err), (0, ""))
        self.assertIn(f"  violated rule: {self.cause['rule']}: ", ran.out)
        self.assertIn("  example: ", ran.out)

    def test_issue_drafts_a_report(self):
        ran = program.run("issue", self.out, self.cause["id"])
        self.assertEqual(ran.status, 0, ran.err)
        for text in ("## What happens", "## What is expected", "## How to reproduce", "## Versions", "https://github.com/dmlc/", "<summary>reproduce.py</summary>"):
            self.assertIn(text, ran.out)

    def test_names_only_some_of_many_causes(self):
        for id in ("zzzzz", "limit/"):
            with self.subTest(id):
                hint = program.run("issue", self.out, id).hints()[0]
                self.assertRegex(hint, r", and \d+ more$")
                self.assertEqual(hint.count(", "), 10)

    def test_an_unknown_cause_is_an_error_with_a_suggestion(self):
        for command in (("issue", self.out, "import/plase/byte-offset"), ("explain", "import/plase/byte-offset", "--in", self.out)):
            ran = program.run(*command)
            self.assertEqual(ran.status, 2)
            self.assertIn("the results have no cause import/plase/byte-offset", ran.err)


class Lists(unittest.TestCase):
    def test_rules_have_requirement_severity_status_and_the_reason(self):
        rules = json.loads(program.run("list", "rules", "--json").out)
        out = program.run("list", "rules").out
        untested = next(rule for rule in rules if rule["status"] != "tested")
        self.assertIn(f"{untested['id']}  {untested['breach']}  {untested['status']}  {untested['requirement']}\n"
                      f"    not tested: {untested['reason']}\n", out)

    def test_choices_print_each_answer_on_its_own_line(self):
        out = program.run("list", "choices").out
        for row in json.loads(program.run("list", "choices", "--json").out):
            for answer in row["answers"]:
                self.assertIn(f"\n    - {answer}\n", out)


if __name__ == "__main__":
    unittest.main()
