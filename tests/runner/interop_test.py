# tests/runner/interop_test.py: a defect of a pair is reported for the library that it belongs to.
import json
import pathlib
import sys
import tempfile
import tomllib
import unittest

import program

sys.path.insert(0, str(program.TESTS / "reproducer"))
import defects  # noqa: E402

TOY = program.TESTS / "python" / "toy_adapter"
LIBRARY = """name = "toy"
kind = "python"
roles = ["consumer", "producer"]
claims = ["view", "write", "reexport", "read_only", "zero_copy"]
size_mb = 1
fork_safe = true
"""
# Misreads what another toy made, and nothing else.
SHIFTS_TOYS = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if hasattr(obj, "addresses") and array.shape:
        array.strides = tuple(0 for stride in array.strides)
    return array
"""
# Misreads an array that it imports for the second time, which no case does.
MISREADS_AGAIN = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if hasattr(obj, "addresses") and array.shape:
        if getattr(obj, "was_imported", False):
            array.strides = tuple(0 for stride in array.strides)
        obj.was_imported = True
    return array
"""
REFUSES_SCALARS = """
correct = from_dlpack
def from_dlpack(obj, **kw):
    array = correct(obj, **kw)
    if not array.shape:
        raise BufferError("no dimensions")
    return array
"""
PRODUCER = "toy, the producer: it shows the same with the reference as partner"
CONSUMER = "toy, the consumer: it shows the same with the reference as partner"
TOGETHER = "only the two together: neither library shows it with the reference as partner"


class Interop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.limits = {}

    def pairs(self, defect):
        """Status of `interop reference toy` and, by pair, its causes."""
        adapter = self.folder / "toy"
        adapter.mkdir()
        text = (TOY / "adapter.py").read_text(encoding="utf-8")
        (adapter / "adapter.py").write_text(text + "\n\n" + defect, encoding="utf-8")
        (adapter / "library.toml").write_text(LIBRARY, encoding="utf-8")
        out = self.folder / "out"
        self.ran = program.run("interop", "reference", "toy", "--adapter", adapter, "--examples", 20, "--timeout", 3,
                               "--out", out)
        causes = {}
        for pair in ("reference-to-reference", "reference-to-toy", "toy-to-reference", "toy-to-toy"):
            lines = program.lines_of((out / pair / "results.ndjson").read_text(encoding="utf-8"))
            causes[pair] = [line for line in lines if line["type"] == "cause" and not line.get("limitation")]
            self.limits[pair] = {line["id"]: line for line in lines if line.get("limitation")}
        return causes

    def test_a_write_that_the_consumer_cannot_show_accuses_nobody(self):
        self.assertEqual(set().union(*self.accused("def values(array):\n    return None\n").values()), set())

    def accused(self, defect):
        """By pair, the library that its causes belong to."""
        return {pair: {cause["accused"] for cause in causes} for pair, causes in self.pairs(defect).items()}

    def test_a_correct_pair_has_no_cause(self):
        self.assertEqual(set(map(json.dumps, self.pairs("").values())), {"[]"}, self.ran.out)
        self.assertEqual(self.ran.status, 0, self.ran.out)

    def test_what_the_consumer_refuses_is_a_limitation_of_the_pair(self):
        causes = self.pairs(REFUSES_SCALARS)
        self.assertEqual(set(map(json.dumps, causes.values())), {"[]"}, self.ran.out)
        self.assertEqual(self.ran.status, 0, self.ran.out)
        for pair in ("reference-to-toy", "toy-to-toy"):
            limit = self.limits[pair]["limit/pair/dims=0"]
            self.assertEqual((limit["verdict"], limit["got"]), ("NOTE", "refused: BufferError: no dimensions"))
        self.assertEqual(self.limits["reference-to-reference"], {})
        # The consumer takes what the toy makes, and the toy makes few dtypes.
        self.assertEqual(self.limits["toy-to-reference"], {})
        self.assertIn("limit/pair/dtype=bfloat16", self.limits["reference-to-toy"])

    def test_a_consumer_answers_for_what_it_misreads(self):
        causes = self.pairs(defects.IGNORES_STRIDES)
        self.assertEqual(self.ran.status, 1)
        self.assertEqual([len(causes[pair]) for pair in causes], [0, 1, 0, 1], self.ran.out)
        cause = causes["reference-to-toy"][0]
        self.assertEqual(cause["accused"], CONSUMER)
        self.assertRegex(cause["id"], "^import/strides/")
        self.assertEqual(cause["id"], causes["toy-to-toy"][0]["id"])
        self.assertIn("whose", self.ran.out)

    def test_a_producer_answers_for_what_it_exports(self):
        causes = self.pairs(defects.EXPORTS_ANOTHER_TYPE)
        self.assertEqual([bool(causes[pair]) for pair in causes], [False, False, True, True], self.ran.out)
        for cause in causes["toy-to-reference"]:  # another wrong type is another mistake
            self.assertEqual(cause["accused"], PRODUCER)
            self.assertRegex(cause["id"], "^export/dtype")

    def test_a_death_is_told_of_the_library_that_dies(self):
        accused = self.accused(defects.ABORTS)
        self.assertEqual(accused["reference-to-toy"], {CONSUMER}, self.ran.out)
        self.assertEqual(accused["toy-to-reference"], set())

    def test_what_neither_shows_beside_the_reference_is_told_of_both(self):
        causes = self.pairs(SHIFTS_TOYS)
        self.assertEqual([len(causes[pair]) for pair in causes], [0, 0, 0, 1], self.ran.out)
        self.assertEqual(causes["toy-to-toy"][0]["accused"], TOGETHER)
        self.assertRegex(causes["toy-to-toy"][0]["id"], "/only-together$")

    def cells(self, *arguments):
        """The cells of the matrix, by producer and consumer."""
        out = self.folder / "out"
        self.ran = program.run("interop", *arguments, "--examples", 5, "--out", out)
        header, first, *cells = program.lines_of((out / "pairs.ndjson").read_text(encoding="utf-8"))
        self.assertEqual((header["type"], first["type"], first["count"]), ("file", "pairs", len(cells)), self.ran.err)
        return {(cell["producer"], cell["consumer"]): cell for cell in cells}

    def library(self, name, requirements=(), python='["3.11", "3.12", "3.13"]', defect="", roles='["consumer", "producer"]'):
        folder = self.folder / name
        folder.mkdir()
        text = (TOY / "adapter.py").read_text(encoding="utf-8")
        (folder / "adapter.py").write_text(text + "\n\n" + defect, encoding="utf-8")
        (folder / "library.toml").write_text(LIBRARY.replace('"toy"', f'"{name}"').replace('["consumer", "producer"]', roles)
                                             + f"requirements = {json.dumps(list(requirements))}\npython = {python}\n",
                                             encoding="utf-8")
        return "--adapter", folder

    def test_a_library_that_is_named_twice_has_one_pair(self):
        ran = program.run("interop", "reference", "reference", "--examples", 5)
        self.assertEqual(ran.out.count("The exchange reference -> reference"), 1, ran.out)
        self.assertEqual(ran.status, 0)

    def test_the_matrix_says_how_each_pair_exchanges(self):
        adapter = self.library("toy", defect="correct = from_dlpack\ndef from_dlpack(obj, **kw):\n    raise BufferError('no')\n")
        cells = self.cells("reference", "toy", *adapter)
        self.assertEqual({pair: cell["state"] for pair, cell in cells.items()},
                         {("reference", "reference"): "shares", ("reference", "toy"): "refuses",
                          ("toy", "reference"): "shares", ("toy", "toy"): "refuses"}, self.ran.out)
        self.assertEqual(cells["reference", "toy"]["why"], "BufferError: no")
        self.assertEqual(cells["reference", "reference"]["structs"], "exchange table")
        self.assertIn("Pairs: producers in rows, consumers in columns", self.ran.out)

    def test_a_pair_that_cannot_be_installed_together_is_a_cell_and_not_a_failure(self):
        one = self.library("one", ["never-made==1"])
        two = self.library("two", ["never-made==2"], roles='["producer"]')
        # Neither is in an environment, so only pairs with the interpreter that is given could run.
        cells = self.cells("reference", "two", "one", *one, *two, "--python", sys.executable)
        self.assertEqual(cells["two", "one"]["state"], "not installable together", cells)
        self.assertIn("never-made==1", cells["two", "one"]["why"])
        self.assertNotIn(("one", "two"), cells)
        self.assertEqual(cells["two", "reference"]["state"], "shares")
        self.assertEqual(self.ran.status, 0, self.ran.out + self.ran.err)

    def test_a_pair_that_crashes_costs_its_cell(self):
        adapter = self.library("toy", defect=defects.ABORTS)
        cells = self.cells("reference", "toy", *adapter)
        self.assertEqual(cells["reference", "toy"]["state"], "crashes")
        self.assertEqual(cells["reference", "toy"]["causes"][0]["accused"], CONSUMER)
        self.assertEqual(cells["toy", "reference"]["state"], "shares")

    def test_level_leaves_out_cases(self):
        ran = program.run("interop", "reference", "reference", "--level", "must", "--select", "interop/pair/both-arrays-die",
                          "--examples", 5)
        self.assertEqual(ran.status, 0, ran.err)

    def test_a_sweep_shows_what_no_case_draws(self):
        adapter = self.library("toy", defect=MISREADS_AGAIN)

        def causes(*options):
            out = self.folder / "out"
            self.ran = program.run("interop", "toy", "toy", *adapter, "--examples", 20, "--out", out, *options)
            lines = program.lines_of((out / "toy-to-toy" / "results.ndjson").read_text(encoding="utf-8"))
            return {line["id"]: line["accused"] for line in lines if line["type"] == "cause" and not line.get("limitation")}

        self.assertEqual(causes(), {}, self.ran.out)
        self.assertEqual(causes("--sweep", 300), {"import/strides/only-together": TOGETHER}, self.ran.out)

    def test_update_writes_the_list_of_the_library_with_the_defect(self):
        adapter = self.library("toy", defect=defects.IGNORES_STRIDES)
        command = ("interop", "reference", "toy", *adapter, "--examples", 20)
        first = program.run(*command, "--update")
        self.assertEqual(first.status, 1, first.err)
        entry, = tomllib.loads((self.folder / "toy" / "expectations.toml").read_text(encoding="utf-8"))["expect"]
        self.assertRegex(entry["cause"], "^import/strides/")
        self.assertEqual(entry["from"], ["reference", "toy"])
        self.assertEqual({file.name for file in self.folder.glob("toy/*.toml")}, {"expectations.toml", "library.toml"})
        self.assertEqual(program.run(*command).status, 0)

    def test_a_pair_knows_what_its_library_has_alone(self):
        adapter = self.library("toy", defect=defects.IGNORES_STRIDES)
        (self.folder / "toy" / "expectations.toml").write_text(
            '[[expect]]\ncause = "import/*"\nverdict = "FAIL"\nwhy = "strides are ignored"\n', encoding="utf-8")
        cells = self.cells("reference", "toy", *adapter)
        self.assertEqual(self.ran.status, 0, self.ran.out)
        cause, = cells["reference", "toy"]["causes"]
        self.assertEqual((cause["accused"], cause["known"]), (CONSUMER, "strides are ignored"))
        self.assertEqual(cells["toy", "reference"]["unexpected"], 0)

    def test_an_entry_with_a_partner_is_stale_for_that_pair_only(self):
        adapter = self.library("toy")
        (self.folder / "toy" / "expectations.toml").write_text(
            '[[expect]]\ncause = "import/place/only-together"\nfrom = ["reference"]\nverdict = "FAIL"\nwhy = "x"\n',
            encoding="utf-8")
        cells = self.cells("reference", "toy", *adapter)
        self.assertEqual({pair: cell["unexpected"] for pair, cell in cells.items() if cell["unexpected"]},
                         {("reference", "toy"): 1}, self.ran.err)
        self.assertIn("is listed as FAIL for arrays from reference, but did not occur", self.ran.err)


if __name__ == "__main__":
    unittest.main()
