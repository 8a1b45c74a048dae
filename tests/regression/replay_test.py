# tests/regression/replay_test.py: `replay` of many findings compares each with the expectations, and --keep copies them.
"""Usage: DLPACK_CTS=path replay_test.py"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["DLPACK_CTS"]

# Its imports crash, or are refused, as WHAT says.
ADAPTER = '''
import ctypes, os


def version():
    return "1.0"


def from_dlpack(obj, **kw):
    if os.environ.get("WHAT") == "crash":
        ctypes.string_at(8)
    raise BufferError("no")


def describe(array):
    raise NotImplementedError


values = write = describe
'''
LIBRARY = 'name = "mine"\nkind = "python"\nroles = ["consumer"]\n'
FINDING = {"finding": 1, "library": "mine", "case": "robustness/shape/missing-shape-is-refused", "cause": "import/x", "rule": "C-SHAPE-03",
           "verdict": "CRASH", "message": "", "recipe": {"format": 2, "kind": "import", "life": [{"op": "import"}, {"op": "collect"}],
                      "offers": [{"dims": 1, "ndim": 1, "null_shape": 1, "shape": [1]}]}}
LISTED = '[[expect]]\nrule = "C-*"\nverdict = "CRASH"\nmessage = ""\nversions = "{}"\nwhy = "a test"\n'


class Replay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "adapter.py").write_text(ADAPTER)
        (self.folder / "library.toml").write_text(LIBRARY)
        self.found = self.folder / "found"
        self.found.mkdir()
        self.listed = self.folder / "expectations.toml"
        self.add("one.json")

    def add(self, name, **changes):
        (self.found / name).write_text(json.dumps({**FINDING, **changes}))

    def replay(self, *options, what="crash", folder=None):
        return subprocess.run([PROGRAM, "replay", str(folder or self.found), "--adapter", str(self.folder), "--python", sys.executable,
                               *map(str, options)], text=True, capture_output=True, check=False, timeout=120,
                              env={**os.environ, "WHAT": what})

    def expect(self, run, status, word):
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        self.assertRegex(run.stdout, rf"(?m)^{word} ")
        self.assertRegex(run.stdout, r"\n\d+ findings? in [\d.]+ s\n$")


class Compares(Replay):
    def test_what_shows_with_the_list(self):
        self.expect(self.replay(), 1, "unlisted")
        self.listed.write_text(LISTED.format("<2"))
        self.expect(self.replay(), 0, "known")
        self.listed.write_text(LISTED.format(">=2"))
        self.expect(self.replay(), 1, "unlisted")

    def test_what_is_gone_with_the_list(self):
        self.expect(self.replay(what=""), 0, "fixed")
        self.listed.write_text(LISTED.format(""))
        gone = self.replay(what="")
        self.expect(gone, 1, "gone")
        self.assertIn("listed as CRASH for mine 1.0, but does not occur", gone.stdout)
        self.listed.write_text(LISTED.format(">=2"))
        self.expect(self.replay(what=""), 0, "fixed")

    def test_several_files_and_goes_on_after_a_crash(self):
        for i in range(4):
            self.add(f"{i}.json")
        run = self.replay()
        self.expect(run, 1, "unlisted")
        self.assertIn("mine 1.0: 5 unlisted\n5 findings in ", run.stdout)

    def test_a_mutant_with_the_reference(self):
        run = subprocess.run([PROGRAM, "fuzz", "import", "reference", "--runs", "3000", "--out", str(self.folder / "out")], check=False,
                             capture_output=True, timeout=120, env={**os.environ, "DLPACK_CTS_FUZZ_MUTANT": "releases-twice"})
        self.assertEqual(run.returncode, 1)
        found = self.folder / "out" / "findings"
        self.expect(self.replay(folder=found), 0, "shown")
        for file in found.glob("*/finding.json"):
            file.write_text(file.read_text().replace("releases-twice", "exports-base-pointer"))
        self.expect(self.replay(folder=found), 1, "gone")


class Keeps(Replay):
    def test_what_shows_without_anything_about_the_machine(self):
        self.add("one.json", python=sys.executable, adapters=[str(self.folder)], pythonpath=[])
        kept = self.folder / "kept"
        run = self.replay("--keep", kept)
        self.expect(run, 1, "unlisted")
        files = list(kept.glob("mine/*.json"))
        self.assertEqual(len(files), 1, run.stdout)
        text = files[0].read_text()
        self.assertNotIn(str(self.folder), text)
        record = json.loads(text)
        self.assertEqual((record["library"], record["library_version"], record["verdict"]), ("mine", "1.0", "CRASH"))
        self.expect(self.replay(folder=kept), 1, "unlisted")
        self.assertIn("there already: ", self.replay("--keep", kept).stdout)
        self.assertIn("not kept: no deviation", self.replay("--keep", self.folder / "other", what="").stdout)


class Complains(Replay):
    def complains(self, run, about):
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertRegex(run.stderr, r"(?m)^dlpack-cts: .*" + about + r".*\n  hint: \S")

    def test_of_files_that_are_no_findings(self):
        for text, about in (("{", "two.json is not a finding: it is not valid JSON"), ("[]", "it is not a JSON object"),
                            (json.dumps({**FINDING, "verdict": "BAD"}), 'its "verdict" is "BAD", which is not a verdict'),
                            (json.dumps({**FINDING, "cause": 3}), 'its "cause" is not a string'),
                            (json.dumps({**FINDING, "case": "no/such/case"}), "there is no case no/such/case")):
            with self.subTest(text):
                (self.found / "two.json").write_text(text)
                self.complains(self.replay(), about)

    def test_of_one_library_and_goes_on_with_the_next(self):
        self.add("0.json", library="no-such-library")
        run = self.replay()
        self.complains(run, "no adapter for the library no-such-library")
        self.assertIn("mine 1.0: 1 unlisted\n2 findings in ", run.stdout)

    def test_of_an_empty_folder_and_of_out(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.complains(self.replay(folder=empty), "holds no .json file")
        self.complains(self.replay("--out", self.folder / "out"), "--out needs exactly one FILE")

    def test_of_a_folder_that_cannot_be_written(self):
        self.complains(self.replay("--keep", self.found / "one.json"), "cannot be written")


if __name__ == "__main__":
    unittest.main()
