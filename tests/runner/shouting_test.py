# tests/runner/shouting_test.py: no text of a library reaches a terminal or a file raw, whole, or as a line of ours.
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import program

SHOUTING = program.TESTS / "runner" / "shouting"
# As bytes and as characters: nothing but newlines and tabs may move a terminal's cursor or turn its text.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
SELECT = ("--select", "c-abi/strides/*")


def shout(*places, seed=1, arguments=("--format", "tree")):
    """Status, standard output and standard error of a run, as they came."""
    command = [program.PROGRAM, "run", "shouting", "--adapter", str(SHOUTING), "--seed", str(seed), "--examples", "5", *SELECT,
               *arguments]
    ran = subprocess.run(command, capture_output=True, env={**os.environ, "SHOUT": ",".join(places)}, timeout=120, check=False)
    return ran.returncode, ran.stdout, ran.stderr


class ShoutingLibrary(unittest.TestCase):
    def assert_calm(self, data, what, limit=1_000_000):
        text = data.decode("utf-8")
        found = RAW.search(text)
        self.assertIsNone(found, found and f"{what}: {text[max(0, found.start() - 80):found.end()]!a}")
        self.assertNotIn("\ndlpack-cts: all is well", text, what)
        self.assertLess(len(data), limit, what)

    def assert_calm_run(self, *places, statuses=(0, 1), form="tree"):
        status, out, err = shout(*places, arguments=("--format", form))
        self.assertIn(status, statuses, err)
        self.assert_calm(out, f"{places} on standard output", 20_000_000)
        self.assert_calm(err, f"{places} on standard error")
        return err

    def test_says_its_version_and_refusals_quietly(self):
        self.assert_calm_run("version", "refusal")
        self.assert_calm_run("version", "wrong", "long")
        self.assert_calm_run("wrong", "surrogate", form="json")

    def test_dies_at_its_import_quietly(self):
        for places in (("import",), ("import", "long", "surrogate"), ("print", "die"), ("print", "die", "long")):
            with self.subTest(places=places):
                self.assertIn(b"hint: ", self.assert_calm_run(*places, statuses=(2,)))

    def test_is_told_its_mistakes_quietly(self):
        self.assert_calm_run("complaint", "long", statuses=(0, 1, 2))
        self.assert_calm_run("version", "surrogate", statuses=(0, 1, 2))

    def test_fills_files_that_others_can_read(self):
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = shout("version", "wrong", "long", "print", arguments=("--out", folder))
            self.assertIn(status, (0, 1), err)
            self.assert_calm(out, "standard output")
            for path in pathlib.Path(folder).rglob("*.*"):
                if path.is_file():
                    self.assert_calm(path.read_bytes(), path.name, 20_000_000)
            xml.etree.ElementTree.parse(pathlib.Path(folder, "junit.xml"))
            page = pathlib.Path(folder, "index.html").read_text(encoding="utf-8")
            self.assertEqual(page.count("<script>"), 1)
            for line in pathlib.Path(folder, "results.ndjson").read_text(encoding="ascii").splitlines():
                json.loads(line)
            for script in pathlib.Path(folder, "findings").glob("*.py"):
                compile(script.read_bytes(), script.name, "exec")

    def test_is_reported_with_the_same_messages_for_every_seed(self):
        for places in (("refusal",), ("wrong",)):
            runs = []
            for seed in (1, 2):
                _, out, err = shout(*places, seed=seed, arguments=("--format", "json"))
                lines = [json.loads(line) for line in out.splitlines()]
                runs.append({line["case"]: (line["verdict"], line["message"]) for line in lines if line["type"] == "result"})
                said = [line["got"] for line in lines if line.get("verdict") == "SKIP" and ": at " in line["got"]]
                self.assertGreater(len(said), 2, err)
            varied = {case: [run[case] for run in runs] for case in runs[0] if len({run[case] for run in runs}) > 1}
            # Another seed may find something else, but what it finds it says in the same words.
            told = {case: seen for case, seen in varied.items() if len({verdict for verdict, _ in seen}) == 1}
            self.assertEqual(told, {})


if __name__ == "__main__":
    unittest.main()
