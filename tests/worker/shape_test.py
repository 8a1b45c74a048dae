# tests/worker/shape_test.py: libraries of unusual but legal shapes are judged within what they have, and accused of nothing.
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

ADAPTER = program.TESTS / "worker" / "shaped_adapter" / "adapter.py"
TOY = str(program.TESTS / "python" / "toy_adapter" / "adapter.py")
GOOD = {"PASS", "NOTE", "SKIP", "BLOCKED"}
USUAL = ("view", "write")
LIBRARY = """name = "{shape}"
kind = "python"
roles = [{roles}]
claims = [{claims}]
[profile]
{profile}
"""
# What each shape has to be judged in: cases that said nothing, or something false, before the profile knew of it.
SHAPES = {
    "immutable": (USUAL, "immutable = true", ["c-abi/flags/unused-bits-are-zero", "c-abi/version/exported-major-is-one",
                                                 "c-abi/layout/exported-versioned-struct-has-its-layout"]),
    "late": (USUAL, "", ["c-abi/own/tensor-is-released-once", "c-abi/own/tensor-is-not-released-while-in-use",
                         "python/capsule/array-survives-its-capsule"]),
    "pools": (USUAL, "", ["c-abi/own/deleter-gives-the-memory-back"]),
    "frees_late": (USUAL, "", ["c-abi/own/deleter-gives-the-memory-back"]),
    "borrows": (USUAL, "", ["c-abi/own/tensor-is-released-once", "c-abi/strides/any-layout-is-honoured",
                            "python/capsule/legacy-capsule-is-marked-used"]),
    "keeps": (("view",), "immutable = true", ["c-abi/flags/unused-bits-are-zero", "c-abi/strides/any-layout-is-honoured"]),
    "narrows": (USUAL, "", ["c-abi/dtype/imported-type-is-the-tensors", "c-abi/dtype/type-codes-have-their-published-meaning",
                            "c-abi/strides/any-layout-is-honoured"]),
    "narrows_and_warns_once": (USUAL, "", ["c-abi/dtype/imported-type-is-the-tensors", "c-abi/strides/any-layout-is-honoured"]),
    "takes_legacy_capsules": (USUAL, "", ["python/from/unsupported-device-is-a-buffer-error", "c-abi/own/tensor-is-released-once",
                                          "c-abi/layout/legacy-struct-is-read-in-its-layout"]),
    "declares_what_it_uses": (USUAL, "", ["c-abi/version/export-uses-no-newer-enumerators", "c-abi/version/exported-major-is-one",
                                          "c-abi/data/exported-elements-are-the-arrays"]),
    "compares_versions": (USUAL, "", ["python/max-version/integers-may-be-of-other-classes", "python/dlpack/keywords-have-no-order"]),
    "without_scalars": (USUAL, "ranks = [1, 2]", ["c-abi/strides/null-means-row-major", "c-abi/strides/any-layout-is-honoured",
                                                  "c-abi/layout/tensor-fields-are-read-in-their-places",
                                                  "c-abi/version/both-struct-kinds-are-made"]),
    "images": (USUAL, "", ["c-abi/strides/any-layout-is-honoured", "c-abi/own/tensor-is-released-once",
                           "c-abi/layout/legacy-struct-is-read-in-its-layout", "c-abi/data/exported-elements-are-the-arrays",
                           "c-abi/version/both-struct-kinds-are-taken"]),
    "pictures": (USUAL, 'ranks = [3]\nlast_extents = [1, 3, 4]\nelement_types = ["uint8"]',
                 ["c-abi/strides/any-layout-is-honoured", "c-abi/own/tensor-is-released-once", "c-abi/data/byte-offset-is-added",
                  "c-abi/data/exported-elements-are-the-arrays", "python/max-version/some-capsule-is-made",
                  "c-abi/shape/exported-metadata-describes-the-array"]),
    "classes": (USUAL, "typed_imports = true", ["c-abi/strides/any-layout-is-honoured", "c-abi/own/tensor-is-released-once"]),
    "matrices": (USUAL, "ranks = [2]", ["c-abi/strides/any-layout-is-honoured", "c-abi/shape/scalar-without-shape-is-taken",
                                        "c-abi/data/exported-elements-are-the-arrays"]),
    "copies_views": (USUAL, "", ["c-abi/strides/exported-strides-count-elements", "c-abi/shape/exported-metadata-describes-the-array"]),
    "aligned": (USUAL, "", ["c-abi/data/any-natural-alignment-is-taken", "c-abi/data/no-access-outside-the-elements",
                            "c-abi/data/byte-offset-is-added"]),
    "forward": (USUAL, "", ["c-abi/data/byte-offset-is-added", "c-abi/data/small-byte-offset-is-added"]),
    "functions": (("view", "write", "capsule_input"), "capsules_only = true",
                  ["c-abi/own/tensor-is-released-once", "c-abi/layout/legacy-struct-is-read-in-its-layout",
                   "python/capsule/legacy-capsule-is-marked-used", "c-abi/data/exported-elements-are-the-arrays"]),
    "old": (USUAL, "", ["python/device/answer-agrees-with-the-capsule", "c-abi/data/exported-elements-are-the-arrays",
                        "python/capsule/legacy-capsule-is-marked-used"]),
    "versioned_only": (USUAL, "", ["python/device/answer-agrees-with-the-capsule", "python/dlpack/array-has-both-methods",
                                   "c-abi/layout/exported-tensor-fields-are-in-their-places"]),
    "silent": ((), "no_weak_references = true", ["c-abi/data/byte-offset-is-added", "c-abi/own/tensor-is-released-once"]),
    "silent_values": ((), "", ["c-abi/shape/shape-is-read-in-full-and-no-further", "c-abi/own/tensor-is-released-once"]),
    "swaps": ((*USUAL, "oddities"), "", ["c-abi/data/exported-elements-are-the-arrays"]),
    "compacts": (USUAL, "", ["c-abi/strides/exported-strides-count-elements", "c-abi/shape/exported-metadata-describes-the-array"]),
    "channels": (USUAL, "", ["c-abi/device/unsupported-device-is-refused-and-released", "python/from/unsupported-device-is-a-buffer-error"]),
    "type_error_channels": (USUAL, "", ["python/dlpack/method-takes-its-four-keywords", "c-abi/data/exported-elements-are-the-arrays"]),
    "value_error_channels": (USUAL, "", ["python/copy/copy-false-shares-or-raises", "c-abi/data/exported-elements-are-the-arrays"]),
    "imports_twice": (USUAL, "", ["python/from/any-object-with-the-methods-is-taken", "c-abi/own/tensor-is-released-once",
                                  "c-abi/own/tensor-is-not-released-while-in-use", "python/capsule/array-survives-its-capsule"]),
    "typed": (USUAL, "typed_imports = true", ["c-abi/strides/any-layout-is-honoured", "c-abi/dtype/type-codes-have-their-published-meaning"]),
}

# Where what would be accused is rare.
EXAMPLES = {"forward": 100, "unreadable_matrices": 100, "pools": 60, "frees_late": 60, "idle_zeros": 60, "copies_keep_strides": 60}

# Each illegal behaviour: the case that reports it, its rule, and a word of its example.
DEFECTS = {
    "abrupt": ("python/from/unsupported-device-is-a-buffer-error", "PY-FROM-09", "device "),
    "newest": ("c-abi/version/older-minor-is-taken", "C-VERSION-08", "versioned 1."),
    "tuples": ("python/dlpack/method-returns-a-capsule", "PY-DLPACK-02", "float32"),
    "leaves_capsules": ("python/capsule/legacy-capsule-is-marked-used", "PY-CAPSULE-06", "float32"),
    "versioned_kills": ("c-abi/version/both-struct-kinds-are-taken", "PY-FROM-11", "versioned"),
    "unreadable": ("python/from/source-and-result-stay-usable", "PY-FROM-13", "import-source"),
    "no_scalars": ("python/dlpack/no-array-kills-the-process", "PY-DLPACK-13", "shape ()"),
    "copies_keep_strides": ("c-abi/data/exported-elements-are-the-arrays", "C-DATA-15", "copy=True"),
    "no_deleter": ("c-abi/own/deleter-releases-the-source", "C-OWN-20", "float32"),
    "refuses_keywords": ("python/from/none-keywords-ask-for-nothing", "PY-FROM-02", "device=None"),
    "refuses_copies": ("python/copy/copy-false-shares-or-raises", "PY-COPY-02", "copy=False"),
    "stale": ("c-abi/shape/exports-follow-changes-in-place", "C-SHAPE-10", "change-metadata (transpose)"),
}

# What else library.toml claims of it.
CLAIMS = {"refuses_keywords": ("device_keyword", "copy_keyword", "array_api"), "refuses_copies": ("array_api",)}

# What else the result of that case says.
SAYS = {"versioned_kills": {"verdict": "CRASH"}, "leaves_capsules": {"verdict": "WARN"}, "no_deleter": {"fact": "export0.has_deleter"}}

# What such a library is judged in all the same.
JUDGED = {"versioned_kills": ["c-abi/own/tensor-is-released-once", "c-abi/layout/legacy-struct-is-read-in-its-layout"]}

# What has to say nothing false, or nothing at all: methods that are not there.
SILENT = {"functions": ["python/dlpack/array-has-both-methods", "python/device/answer-agrees-with-the-capsule"],
          "keeps": ["c-abi/own/writes-of-the-producer-are-seen"],
          "swaps": ["c-abi/dtype/foreign-byte-order-is-refused"],
          "leaves_capsules": ["python/capsule/versioned-capsule-is-marked-used", "python/capsule/used-capsule-is-refused",
                              "python/capsule/array-survives-its-capsule", "c-abi/own/tensor-is-released-once"],
          "tuples": ["python/device/answer-agrees-with-the-capsule", "c-abi/device/exported-type-is-published"],
          "refuses_keywords": ["python/from/host-device-is-served-or-refused"],
          "refuses_copies": ["python/dl-device/other-device-without-a-copy-raises-buffer-error"],
          "old": ["python/dlpack/method-takes-its-four-keywords", "python/max-version/some-capsule-is-made"]}


def judge(shape, claims, profile, folder, cases=(), sweep=15000, roles='"consumer", "producer"'):
    folder = pathlib.Path(folder) / shape
    folder.mkdir()
    (folder / "adapter.py").write_text(ADAPTER.read_text())
    named = ", ".join(f'"{claim}"' for claim in claims)
    (folder / "library.toml").write_text(LIBRARY.format(shape=shape, claims=named, profile=profile, roles=roles))
    selection = [word for case in cases for word in ("--select", case)]
    ran = program.run("run", shape, "--adapter", folder, "--seed", 1, "--examples", EXAMPLES.get(shape, 10), "--sweep", sweep, "--format", "json",
                      *selection,
                      environment={"SHAPE": shape, "TOY": TOY})
    return ran, program.Results(ran.out) if ran.out.strip() else None


class ALibraryOfItsOwnShape(unittest.TestCase):
    def test_is_accused_of_nothing_and_judged_in_what_it_has(self):
        with tempfile.TemporaryDirectory() as folder:
            for shape, (claims, profile, cases) in SHAPES.items():
                with self.subTest(shape):
                    ran, results = judge(shape, claims, profile, folder, cases + SILENT.get(shape, []))
                    self.assertIn(ran.status, (0, 1), ran.err)
                    bad = [f"{line['verdict']} {case}: {line['message']}" for case, line in results.cases.items()
                           if line["verdict"] not in GOOD]
                    self.assertEqual(bad, [])
                    silent = [f"{case}: {results.cases[case]['message']}" for case in cases
                              if results.cases[case]["verdict"] not in ("PASS", "NOTE")]
                    self.assertEqual(silent, [])


class ADefect(unittest.TestCase):
    def test_is_told_by_its_rule_with_an_example_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            for shape, (case, rule, words) in DEFECTS.items():
                with self.subTest(shape):
                    others = JUDGED.get(shape, []) + SILENT.get(shape, [])
                    ran, results = judge(shape, (*USUAL, "transpose_in_place", *CLAIMS.get(shape, ())), "", folder, [case, *others])
                    line = results.cases[case]
                    self.assertIn(line["verdict"], ("WARN", "FAIL", "CRASH"), line)
                    self.assertEqual({**line, **SAYS.get(shape, {})}, line)
                    self.assertEqual(line["breached"], [rule], line)
                    self.assertEqual([other for other in others if results.cases[other]["verdict"] not in GOOD], [])
                    self.assertEqual([other for other in JUDGED.get(shape, []) if results.cases[other]["verdict"] != "PASS"], [])
                    self.assertIn(words, line["words"]["example"])
                    causes = [cause for cause in map(json.loads, ran.out.splitlines())
                              if cause["type"] == "cause" and cause["rule"] == rule]
                    self.assertIn(words, causes[0]["words"]["example"])


class AConsumerAlone(unittest.TestCase):
    def test_that_cannot_read_what_it_imports_breaks_a_rule(self):
        case = "python/from/result-is-the-exported-tensor"
        with tempfile.TemporaryDirectory() as folder:
            _, results = judge("unreadable_matrices", (), "", folder, [case], roles='"consumer"')
            self.assertEqual(results.cases[case]["verdict"], "WARN", results.cases[case])
            causes = {cause["rule"]: (cause["verdict"], cause["message"]) for cause in results.causes}
            self.assertEqual(causes, {"PY-FROM-04": ("WARN", "reading the elements of the imported array raised an exception")})


class ACrashOfMostRanks(unittest.TestCase):
    def test_leaves_the_others_to_be_judged(self):
        # Ten combinations of dtype, rank and kind, and ten examples: a further draw must not get the same combination.
        profile = 'ranks = [1, 2, 3, 4, 5]\nelement_types = ["float32"]'
        case = "c-abi/own/tensor-is-released-once"
        with tempfile.TemporaryDirectory() as folder:
            _, results = judge("dies_of_matrices", (), profile, folder, [case, "python/from/well-formed-tensors-are-taken-or-refused"])
            self.assertEqual(results.cases[case]["verdict"], "PASS", results.cases[case])
            self.assertEqual([cause["verdict"] for cause in results.causes], ["CRASH"])


class ACopyThatLeavesTheCapsule(unittest.TestCase):
    def test_is_one_cause_with_and_without_elements(self):
        with tempfile.TemporaryDirectory() as folder:
            cases = ["python/capsule/*-capsule-is-marked-used", "c-abi/data/*empty*"]
            _, results = judge("leaves_capsules", USUAL, "", folder, cases)
            left = [(cause["verdict"], cause["id"]) for cause in results.causes if cause["id"].startswith("import/capsule")]
            self.assertEqual(left, [("WARN", "import/capsule")])


class TwoLayoutsOfOneDefect(unittest.TestCase):
    def test_are_two_causes(self):
        with tempfile.TemporaryDirectory() as folder:
            _, results = judge("idle_zeros", USUAL, "", folder, ["c-abi/strides/stride*"])
            causes = {cause["rule"]: cause["words"]["example"] for cause in results.causes}
            self.assertIn("shape (1,), strides (0,)", causes.get("C-STRIDES-11", ""), causes)
            self.assertIn("shape (0,), strides (0,)", causes.get("C-STRIDES-12", ""), causes)


class Profile(unittest.TestCase):
    def test_is_read_strictly(self):
        wrong = {"flying = true": 'unknown field "flying"', "ranks = [9]": "ranks: 9 is not between 0 and 8",
                 'layouts = ["round"]': 'there is no layout "round"', "alignment = 3": "alignment: 3 is not a power of two", "copies = 1": "neither true nor false",
                 'made_layouts = ["round"]': 'made_layouts: there is no layout "round"', "imported_layouts = 1": "imported_layouts: 1 is not a list",
                 "last_extents = [64]": "last_extents: 64 is not between 0 and 63", 'element_types = ["float7"]': 'element_types: there is no type "float7"',
                 "[[profile.when]]\ncopies = true": "when: a block has no version", '[[profile.when]]\nversion = "2.0"': 'when: version "2.0" is not a condition',
                 '[[profile.when]]\nversion = "<2"\nranks = [9]': "ranks: 9 is not between 0 and 8"}
        with tempfile.TemporaryDirectory() as folder:
            for number, (profile, sentence) in enumerate(wrong.items()):
                ran, _ = judge("typed", (), profile, pathlib.Path(tempfile.mkdtemp(dir=folder)))
                self.assertEqual(ran.status, 2, ran.err)
                self.assertIn(sentence, ran.complaints()[0])


if __name__ == "__main__":
    unittest.main()
