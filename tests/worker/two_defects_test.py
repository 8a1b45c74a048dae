# tests/worker/two_defects_test.py: two defects are both reported, however one of them could hide the other.
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402


class OfTwoDefects(unittest.TestCase):
    def check_told(self, first, second, *rules):
        """Each rule is the one of a cause that accuses somebody."""
        ran = program.run("mutants", f"{first}+{second}", "--json")
        causes = json.loads(ran.out)["mutants"][0]["causes"]
        told = {cause["rule"] for cause in causes if cause["verdict"] != "NOTE"}
        self.assertLessEqual(set(rules), told, [cause["id"] for cause in causes])
        return causes

    def test_one_of_scalars_leaves_the_tensors_with_dimensions(self):
        causes = self.check_told("exports-scalars-without-data", "shares-its-copies", "C-DATA-07", "C-FLAGS-07")
        self.assertIn("export/place/scalar", [cause["id"] for cause in causes])

    def test_an_answer_says_nothing_of_another_answer(self):
        self.check_told("asks-by-position", "asks-for-copies-with-half-a-device", "PY-MAXVER-15", "PY-DLDEVICE-11")

    def test_a_leak_is_told_beside_an_answer(self):
        self.check_told("asks-with-truth-values", "leaks-refused-devices", "PY-MAXVER-15", "C-OWN-15")

    def test_an_import_loses_no_capsule(self):
        self.check_told("capsule-releases-consumed", "releases-broadcast-twice", "PY-CAPSULE-05", "C-OWN-02")

    def test_each_row_of_a_table_is_judged_whole(self):
        self.check_told("exports-base-pointer", "table-exports-another-major-of-views", "C-DATA-14", "XAPI-VER-06")

    def test_what_counts_less_is_told_beside_what_counts_more(self):
        self.check_told("never-releases", "refuses-minor-zero", "C-OWN-01", "C-VERSION-08")

    def test_a_death_is_told_beside_an_answer(self):
        self.check_told("exports-device-type-zero", "legacy-deleters-exclude-each-other", "C-DEVICE-01", "C-OWN-13")

    def test_what_the_judge_of_a_case_names_is_no_note(self):
        self.check_told("asking-for-the-device-leaks", "exports-unmapped-strides", "C-OWN-20", "C-STRIDES-06")

    def test_a_death_in_plain_exchanges_closes_no_case(self):
        self.check_told("deleter-of-legacy-throws", "table-exports-read-only-as-writable", "C-OWN-14", "XAPI-FROM-05")


if __name__ == "__main__":
    unittest.main()
