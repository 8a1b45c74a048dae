# tests/worker/limitation_test.py: what a library refuses or copies is reported, with the verdict of the rule that asks for more.
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

ADAPTER = program.TESTS / "worker" / "limited_adapter" / "adapter.py"
TOY = str(program.TESTS / "python" / "toy_adapter" / "adapter.py")
LIBRARY = """name = "{shape}"
kind = "python"
roles = ["consumer", "producer"]
claims = [{claims}]
"""
USUAL = ("view", "write")
FROM = "python/from/any-object-with-the-methods-is-taken"
EXPORTS = "python/dlpack/method-returns-a-capsule"
DATA = "c-abi/data/exported-address-is-element-zero"
ALLOCATES = "exchange-api/functions/the-allocator-gives-what-was-asked-for"
KEYWORDS = "python/dlpack/method-takes-its-four-keywords"
READS = "c-abi/strides/any-layout-is-honoured"
EXPORTED = "c-abi/data/exported-elements-are-the-arrays"
NONE = "python/from/none-keywords-ask-for-nothing"
STRIDED = {f"limit/import-object/layout={name}": "NOTE"
           for name in ("permuted", "fortran", "stepped", "negative", "broadcast", "overlapping", "mixed")}
FOUR = {f"limit/import-object/shape=({', '.join(['2'] + ['1'] * (rank - 2) + ['3'])})": "NOTE" for rank in range(3, 65)
        if rank <= 8 or rank in (16, 32, 64)}
EMPTY = [f"limit/{{}}/empty-dims={rank}" for rank in range(2, 9)]
DEEP = {f"limit/import-object/dims={rank}": "NOTE" for rank in (3, 4, 5, 6, 7, 8, 16, 32, 64)}
EXTENTS = [f"limit/{{}}/last-extent={extent}" for extent in (2, 5, 6)]
# Each library: its claims, a case, its limitations with their verdicts, and the exit status. Where the case reports the
# rule itself, there is no limitation.
LIMITS = {
    "own_type": ((*USUAL, "capsule_input"), FROM, {"limit/import-object/producer=foreign": "FAIL"}, 1),
    "wants_shape": ((*USUAL, "capsule_input"), FROM, {"limit/import-object/producer=foreign": "FAIL"}, 1),
    "imports_nothing": (USUAL, FROM, {}, 1),
    "exports_nothing": (USUAL, EXPORTS, {"limit/export/every": "WARN"}, 1),
    "capsules_alone": ((*USUAL, "capsule_input"), FROM, {"limit/import-object/every": "FAIL"}, 1),
    "compact_only": (USUAL, FROM, STRIDED, 0),
    "copies_strided": (USUAL, FROM, STRIDED, 0),
    # One rule asks for all layouts, so all of them are one cause.
    "copies_strided_exports": (USUAL, DATA, {"limit/export/layout=permuted": "FAIL"}, 1),
    "old_keywords": (USUAL, KEYWORDS, {f"limit/export/keyword={value}": "NOTE" for value in (
        "max_version=None", "max_version=(1, 3)", "dl_device=None", "dl_device=(1, 0)", "copy=None", "copy=False", "copy=True")}, 0),
    "copy_is_not_none": ((*USUAL, "array_api"), KEYWORDS, {}, 1),
    "always_copies_on_request": ((*USUAL, "copy_keyword"), FROM, {"limit/import-object/keyword=copy=False": "NOTE"}, 0),
    "import_copy_is_not_none": ((*USUAL, "copy_keyword", "array_api"), NONE, {"limit/import-object/keyword=copy=None": "NOTE"}, 0),
    # The property that decides is reported, and not the rank of the tensor that met it first.
    "matrices_without_strides": (USUAL, READS, {"limit/import-object/explicit-strides=2": "NOTE"}, 0),
    "channels": (USUAL, READS, {name.format("import-object"): "NOTE" for name in EXTENTS}, 0),
    "channels_of_four": (USUAL, READS, FOUR, 0),
    "no_strides_beside_one": (USUAL, READS, {"limit/import-object/explicit-strides-beside-extent=1": "NOTE"}, 0),
    "no_extent_of_one": (USUAL, READS, {"limit/import-object/extent=1": "NOTE"}, 0),
    "makes_channels": (USUAL, EXPORTED, {name.format("make"): "NOTE" for name in EXTENTS}, 0),
    # Each value alone is accepted.
    "divides_by_elements": (USUAL, READS, {name.format("import-object"): "NOTE" for name in EMPTY}, 0),
    "no_empty_rows": (USUAL, READS, {"limit/import-object/shape=(2, 0)": "NOTE"}, 0),
    "makes_no_empty_matrices": (USUAL, EXPORTED, {name.format("make"): "NOTE" for name in EMPTY}, 0),
    "copies_of_compact": ((*USUAL, "copy_keyword"), FROM, {
        **{name.replace("object/", "object/copy-of-"): "NOTE" for name in STRIDED},
        "limit/import-object/copy-of-memory=read-only": "NOTE"}, 0),
    "exports_copies_of_compact": (USUAL, FROM, {name.replace("import-object/", "export/copy-of-"): "NOTE" for name in STRIDED}, 0),
    "copies_need_max_version": (USUAL, FROM, {"limit/export/keyword-alone=copy=True": "NOTE"}, 0),
    # One of the values is refused alone.
    "nothing_empty": (USUAL, READS, {"limit/import-object/size=empty": "NOTE"}, 0),
    "vectors_and_matrices": (USUAL, READS, DEEP, 0),
    "copies_nothing": ((*USUAL, "copy_keyword"), FROM, {"limit/import-object/keyword=copy=True": "NOTE"}, 0),
    "scalars_not_allocated": ((*USUAL, "exchange_api"), ALLOCATES, {"limit/table-allocate/dims=0": "WARN"}, 1),
}


def judge(shape, claims, folder, *more, expectations=None, profile=""):
    folder = pathlib.Path(folder) / shape
    folder.mkdir()
    (folder / "adapter.py").write_text(ADAPTER.read_text())
    (folder / "library.toml").write_text(LIBRARY.format(shape=shape, claims=", ".join(f'"{claim}"' for claim in claims)) + profile)
    if expectations is not None:
        (folder / "expectations.toml").write_text(expectations)
    ran = program.run("run", shape, "--adapter", folder, "--seed", 1, "--examples", 10, "--format", "json", *more,
                      environment={"SHAPE": shape, "TOY": TOY}, seconds=300)
    return ran, program.Results(ran.out)


def limits_of(results):
    return {limitation["id"]: limitation for limitation in results.limitations}


class ALimitation(unittest.TestCase):
    def test_is_a_note_unless_a_rule_asks_for_acceptance(self):
        with tempfile.TemporaryDirectory() as folder:
            for shape, (claims, case, wanted, status) in LIMITS.items():
                with self.subTest(shape):
                    ran, results = judge(shape, claims, folder, "--select", case)
                    limits = limits_of(results)
                    # The toy has few dtypes, which is a limitation of every shape.
                    got = {name: limit["verdict"] for name, limit in limits.items() if "/dtype=" not in name}
                    self.assertEqual(got, wanted)
                    self.assertEqual(ran.status, status, ran.err)
                    if case in (READS, EXPORTED):
                        self.assertEqual(results.cases[case]["verdict"], "PASS", results.cases[case]["message"])
                        deepest = 2 if wanted == DEEP else 64
                        self.assertIn(f"0 to {deepest} dimensions", str(results.header["profile"]))
                    for name in wanted:
                        self.assertRegex(limits[name]["got"], "refused: (BufferError|TypeError|NotImplementedError|ZeroDivisionError): |copied: ")
                        self.assertRegex(limits[name]["wanted"], "accepted, as is ")
                    if shape == "copies_strided_exports":
                        for name in STRIDED:
                            self.assertIn(name.split("=")[1], limits["limit/export/layout=permuted"]["message"])

    def test_has_to_be_listed_where_a_list_or_a_profile_exists(self):
        entry = '[[expect]]\ncause = "limit/{}"\nverdict = "NOTE"\nwhy = "known"\n'
        listed = "".join(map(entry.format, ("*/dtype=*", "import-object/layout=[!n]*", "export/dims=0")))
        with tempfile.TemporaryDirectory() as folder:
            ran, results = judge("compact_only", (), folder, "--sweep", 20, expectations=listed)
            self.assertEqual(ran.status, 1, ran.err)
            self.assertEqual(self.unexpected(results), ["limit/import-object/layout=negative"])
            self.assertEqual(sum("limit/export/dims=0" in sentence for sentence in results.footer["stale"]), 1)
        profile = '[profile]\nelement_types = ["float32"]\n'
        for what in ({"expectations": ""}, {"profile": profile}):
            with self.subTest(what), tempfile.TemporaryDirectory() as folder:
                ran, results = judge("compact_only", (), folder, "--sweep", 20, **what)
                self.assertEqual(ran.status, 1, ran.err)
                self.assertLessEqual(set(STRIDED), set(self.unexpected(results)))

    def unexpected(self, results):
        return [name for name, limit in limits_of(results).items() if not limit["as_expected"]]


if __name__ == "__main__":
    unittest.main()
