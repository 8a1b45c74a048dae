# tests/runner/sources_test.py: explain, findings and scripts write out the short keys in the source of a rule.
import json
import pathlib
import re
import tempfile
import unittest

import program

ROOT = program.TESTS.parent


class Sources(unittest.TestCase):
    def test_are_written_out_in_findings_and_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            program.judge("with_offset:segfault", select=["c-abi/data/byte-offset-has-64-bits"], more=("--out", folder))
            found = next(pathlib.Path(folder, "findings").glob("*.json"))
            source = json.loads(found.read_text(encoding="utf-8"))["source"]
            self.assertRegex(source, r"^pytorch/pytorch#\d+$")  # of PY-FROM-11, whose rule has the key "pytorch"
            script = re.sub(r"\n# +", " ", found.with_suffix(".py").read_text(encoding="utf-8"))
            self.assertIn(f"({source})", script, "at the end of the rule")

    def test_are_written_out_by_explain(self):
        source = re.search(r'id = "C-STRIDES-03"\n.*?^source = "([^"]+)"', (ROOT / "rules" / "c-strides.toml").read_text(
            encoding="utf-8"), re.DOTALL | re.MULTILINE)[1]
        self.assertRegex(source, r"^H1\d:[0-9,-]+")
        ran = program.run("explain", "C-STRIDES-03")
        self.assertEqual((ran.status, ran.err), (0, ""))
        self.assertRegex(ran.out, r"\n  source: dlpack.h of DLPack 1\.\d, lines? [0-9,-]+")
        self.assertNotIn("rules/README.md", ran.out)
        lines = re.match(r"H1(\d):(\d+)-(\d+)", source)
        self.assertRegex(ran.out, rf"\n  link: https://github.com/\S+/[0-9a-f]{{40}}/\S+/dlpack\.h#L{lines[2]}-L{lines[3]}\n")
        self.assertNotRegex(program.run("explain", "CUDA-MEM-07").out, r"PS:\d", "a key in the note is written out too")
        self.assertRegex(ran.out, r"\n  strength: [^\n]*; a violation counts as FAIL; single cases may count less")

    def test_are_written_out_with_links_in_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            program.judge("with_offset:segfault", select=["c-abi/data/byte-offset-has-64-bits"], more=("--out", folder))
            for name in ("report.md", "index.html", "results.sarif"):
                text = pathlib.Path(folder, name).read_text(encoding="utf-8")
                with self.subTest(name=name):
                    self.assertNotRegex(text, r"\b(?:H1[123]|PS|AO|CF|DI):\d")
                    self.assertRegex(text, r"https://github\.com/[\w./?=-]+#L\d+|https://github\.com/\S+/issues/\d+")


class Causes(unittest.TestCase):
    def test_are_explained_with_side_family_and_triggers(self):
        ran = program.run("explain", "import/place/byte-offset")
        self.assertEqual((ran.status, ran.err), (0, ""))
        for text in ("the library is the consumer", "byte-offset: dl_tensor.byte_offset is not 0\n", "C-DATA-01: "):
            self.assertIn(text, ran.out)

    def test_of_every_family_have_a_meaning(self):
        homes = json.loads(program.run("list", "homes", "--json").out)
        families = {(home["side"], home["family"].replace(" ", "-")) for home in homes}
        self.assertGreater(len(families), 20)
        for side, family in families:
            with self.subTest(side=side, family=family):
                out = program.run("explain", f"{side}/{family}").out
                self.assertRegex(out, rf"family of the first violated fact: {family}, \S")


if __name__ == "__main__":
    unittest.main()
