# tests/runner/schema_test.py: every line of whole runs keeps results.schema.json, and `report` reads nothing that breaks it.
import copy
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time
import unittest

import program

try:
    import jsonschema
except ImportError:
    sys.exit("schema_test.py: the Python module jsonschema is missing; install the Debian package python3-jsonschema")

SCHEMA = json.loads((program.TESTS.parent / "results" / "results.schema.json").read_text())
BAD = (-1, 1.5, "", "x", None, True, False, [], [""], {}, {"x": 1}, 2**70)


def validator_of(kind):
    """A validator of one kind of line, whose mistakes are easier to read than those of all kinds."""
    return jsonschema.Draft7Validator({**SCHEMA, "oneOf": [{"$ref": f"#/definitions/{kind}"}]})


VALIDATORS = {kind: validator_of(kind) for kind in ("header", "result", "cause", "reading", "footer")}


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def check(self, file, *kinds):
        """Each line is valid, these kinds occur, and the report of the file has the same lines, with the paths of its own files."""
        lines = program.lines_of(file.read_text())
        for number, line in enumerate(lines, 1):
            for mistake in VALIDATORS[line["type"]].iter_errors(line):
                self.fail(f"{file}: line {number}: {list(mistake.path)}: {mistake.message}")
        self.assertEqual({line["type"] for line in lines}, set(kinds))
        again = self.folder / "again"
        ran = program.run("report", file, "--out", again)
        self.assertEqual(ran.complaints(), [], ran.err)
        moved = file.read_text().replace(f"{file.parent}/causes/", f"{again}/causes/")
        self.assertEqual((again / "results.ndjson").read_text(), moved)
        return lines

    def bad_library(self):
        """A toy that reads its first element everywhere."""
        folder = self.folder / "toy"
        shutil.copytree(program.TESTS / "python" / "toy_adapter", folder)
        (folder / "library.toml").write_text('name = "toy"\nkind = "python"\nroles = ["consumer", "producer"]\n'
                                             'claims = ["view", "write", "read_only", "zero_copy"]\nfork_safe = true\n')
        with (folder / "adapter.py").open("a") as file:
            file.write("\ncorrect = from_dlpack\ndef from_dlpack(obj, **kw):\n    array = correct(obj, **kw)\n"
                       "    if array.shape:\n        array.strides = tuple(0 for stride in array.strides)\n    return array\n")
        return folder


class Lines(Base):
    def test_of_numpy(self):
        environment = os.environ.get("DLPACK_CTS_TEST_NUMPY_ENV")
        if not environment:
            self.skipTest("there is no environment with NumPy")
        program.run("run", "numpy", "--python", f"{environment}/bin/python", "--sweep", "300", "-j", "2", "--out", self.out)
        lines = self.check(self.out / "results.ndjson", "header", "result", "cause", "reading", "footer")
        self.assertGreater(len(lines), 300)

    def test_of_a_library_with_defects(self):
        program.run("run", "toy", "--adapter", self.bad_library(), "--examples", "5", "--sweep", "300", "-j", "2", "--select",
                    "c-abi/*", "--select", "whole/*", "--out", self.out)
        lines = self.check(self.out / "results.ndjson", "header", "result", "cause", "reading", "footer")
        self.assertTrue(any("needed" in line for line in lines))
        self.assertTrue(any("deviations" in line for line in lines))

    def test_of_a_mutant(self):
        finding = {"finding": 1, "library": "reference", "case": "c-abi/flags/unknown-flags-are-noticed",
                   "mutant": "aborts-on-unknown-flags"}
        program.run("run", "misbehaving", "--adapter", program.TOY, "--select", finding["case"], "--out", self.out,
                    environment={"MISDEED": "segfault"})
        lines = self.check(self.out / "results.ndjson", "header", "result", "cause", "footer")
        finding["recipe"] = lines[1]["recipe"]
        (self.folder / "finding.json").write_text(json.dumps(finding))
        ran = program.run("replay", self.folder / "finding.json", "--out", self.folder / "replayed")
        self.assertEqual(ran.complaints(), [], ran.err)
        lines = program.lines_of((self.folder / "replayed" / "results.ndjson").read_text())
        self.assertEqual((lines[1]["mutant"], lines[1]["verdict"]), (finding["mutant"], "CRASH"))
        self.check(self.folder / "replayed" / "results.ndjson", *(line["type"] for line in lines))

    def test_of_a_pair(self):
        program.run("interop", "reference", "toy", "--adapter", self.bad_library(), "--examples", "5", "--out", self.out)
        self.check(self.out / "reference-to-toy" / "results.ndjson", "header", "result", "cause", "footer")

    def test_of_a_run_that_did_not_end(self):
        for number, last in ((signal.SIGTERM, ["reading", "footer"]), (signal.SIGKILL, [])):
            out = self.folder / f"out{number}"
            process = program.start("run", "misbehaving", "--adapter", program.TOY, "-j", "1", "--select", "c-abi/flags/*",
                                    "--timeout", "100", "--out", out, environment={"MISDEED": "hang"})
            self.addCleanup(process.kill)
            file = out / "results.ndjson"
            until = time.monotonic() + 60
            while not (file.exists() and len(file.read_text().splitlines()) > 3) and time.monotonic() < until:
                time.sleep(0.02)
            process.send_signal(number)
            process.communicate(timeout=20)
            self.check(file, "header", "result", *last)



def places(value, path=()):
    """The path of every value in a line, except for those below a recipe, which may be any object."""
    yield path
    if isinstance(value, dict) and path[-1:] not in (("recipe",), ("variables",)) and "earlier" not in path:
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value[:1]):
            yield from places(item, (*path, index))


class AReport(Base):
    def wrong(self, lines):
        """Every field of every kind of line with each bad value, or without it, or with a field too many, if the schema says so."""
        for number, line in enumerate(lines):
            for path in list(places(line))[1:]:
                for bad in (*BAD, "remove", "add"):
                    changed = copy.deepcopy(lines)
                    inner, last = changed[number], path[-1]
                    for step in path[:-1]:
                        inner = inner[step]
                    if bad == "remove":
                        del inner[last]
                    elif bad != "add":
                        inner[last] = bad
                    elif isinstance(inner[last], dict):
                        inner[last]["surplus"] = 1
                    if not VALIDATORS[line["type"]].is_valid(changed[number]):
                        yield number + 1, path, bad, changed

    def test_refuses_what_the_schema_refuses(self):
        program.run("run", "toy", "--adapter", self.bad_library(), "--examples", "5", "--sweep", "300", "-j", "2", "--select",
                    "c-abi/strides/*", "--select", "whole/*", "--out", self.out)
        good = program.lines_of((self.out / "results.ndjson").read_text())
        header, footer = good[0], {**good[-1], "stale": ["x"]}
        failure = next(line for line in good if "needed" in line)
        sweep = next(line for line in good if "deviations" in line)
        cause, reading = (next(line for line in good if line["type"] == kind) for kind in ("cause", "reading"))
        files = []
        for number, path, bad, lines in self.wrong([header, failure, sweep, cause, reading, footer]):
            file = self.folder / f"{len(files)}.ndjson"
            file.write_text("".join(json.dumps(line) + "\n" for line in lines))
            files.append((file, number, path, bad))
        self.assertGreater(len(files), 1000)
        ran = program.run("report", *(file for file, *_ in files))
        self.assertEqual(ran.status, 2)
        complaints = {re.match(r"dlpack-cts: (\S+): ", line)[1]: line for line in ran.complaints()}
        for file, number, path, bad in files:
            said = complaints.get(str(file), "nothing")
            place = f'line {number}: (field "|has version|was written by an older)'
            self.assertRegex(said, place, f"{path} = {bad!r} of line {number}")


if __name__ == "__main__":
    unittest.main()
