# tests/worker/raised_test.py: each bug of an export is reported once, and the other arrays are judged as without it.
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

ADAPTER = program.TESTS / "worker" / "raising_adapter" / "adapter.py"
TOY = str(program.TESTS / "python" / "toy_adapter" / "adapter.py")
LIBRARY = 'name = "{name}"\nkind = "python"\nroles = ["producer"]\nclaims = ["view", "write"]\n'
SENTENCE = r"raised {} for {}; this looks like a bug rather than a refusal"


class AnExportThatRaises(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.results = {name: cls.judge(name, folder) for name in (
                "nothing", "scalars", "scalars_and_doubles", "scalars_and_read_only", "dtypes", "matrices", "refusals")}

    @staticmethod
    def judge(name, folder):
        folder = pathlib.Path(folder) / name
        folder.mkdir()
        (folder / "adapter.py").write_text(ADAPTER.read_text())
        (folder / "library.toml").write_text(LIBRARY.format(name=name))
        ran = program.run("run", name, "--adapter", folder, "--seed", 1, "--examples", 20, "--sweep", 20, "--format", "json",
                          environment={"RAISES": name, "TOY": TOY}, seconds=300)
        return program.Results(ran.out)

    def check(self, name, wanted):
        """The reported bugs: an id and a sentence for each."""
        causes = {cause["id"]: cause for cause in self.results[name].causes if cause["fact"] == "stumbled"}
        self.assertEqual(set(causes), set(wanted))
        for cause, sentence in wanted.items():
            self.assertEqual((causes[cause]["verdict"], causes[cause]["rule"]), ("WARN", "PY-DLPACK-13"))
            self.assertRegex(causes[cause]["message"], SENTENCE.format(*sentence))

    def not_judged(self, name):
        """The cases that pass without the bug, and that neither judge nor report a bug here."""
        usual = self.results["nothing"].cases
        return [case for case, line in self.results[name].cases.items()
                if usual[case]["verdict"] == "PASS" and line["verdict"] not in ("PASS", "WARN")]

    def test_is_one_cause_for_one_property(self):
        self.check("scalars", {"export/exception/scalar": (r"IndexError \(tuple index out of range\)", r"float32, shape \(\)")})
        self.assertEqual(self.not_judged("scalars"), [])

    def test_is_two_causes_for_two_properties(self):
        self.check("scalars_and_doubles", {
            "export/exception/scalar": (r"IndexError \(tuple index out of range\)", r"float32, shape \(\)"),
            "export/exception/dtype-float64+rank-1": (r"KeyError \('float64'\)", r"float64, shape \(\d,\)")})

    def test_is_two_causes_for_two_texts_of_one_class(self):
        self.check("scalars_and_read_only", {
            "export/exception/scalar": (r"AssertionError \(no strides\)", r"float32, shape \(\)"),
            "export/exception/rank-1+read-only-array": (r"AssertionError \(no buffer\)", r"float32, shape \(\d,\), read-only")})

    def test_is_one_cause_if_its_text_differs_by_values(self):
        self.check("dtypes", {"export/exception/dtype-float64": (r"KeyError \('float64'\)", r"float64, shape \(\)")})
        self.check("matrices", {"export/exception/rank-1+rank-2": (r"KeyError \(\d+\)", r"float32, shape \(\d,\d\)")})

    def test_leaves_most_cases_judged(self):
        passing = [case for case, line in self.results["nothing"].cases.items() if line["verdict"] == "PASS"]
        self.assertGreater(len(passing), 100)
        # Cases that need every dtype, or two dimensions, cannot be judged without them.
        for name, most in (("scalars_and_doubles", 12), ("scalars_and_read_only", 12), ("matrices", 12), ("dtypes", 25)):
            self.assertLess(len(self.not_judged(name)), most, (name, self.not_judged(name)))

    def test_may_refuse(self):
        self.check("refusals", {})


if __name__ == "__main__":
    unittest.main()
