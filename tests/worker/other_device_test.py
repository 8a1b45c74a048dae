# tests/worker/other_device_test.py: a library with arrays on another device than the CPU is judged by what can be compared there.
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

ADAPTER = program.TESTS / "worker" / "shaped_adapter" / "adapter.py"
TOY = str(program.TESTS / "python" / "toy_adapter" / "adapter.py")
LIBRARY = """name = "elsewhere"
kind = "python"
roles = ["consumer", "producer"]
claims = ["view", "write", "reexport"]
"""
PUBLISHED = (2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)  # the CPU is 1; 5 and 6 were never published
ON_HOST = (3, 11, 13)  # pinned and managed memory, which the host reads
FROM = "python/from/any-object-with-the-methods-is-taken"
TYPE = "c-abi/device/exported-type-is-published"
ANSWER = "python/device/answer-agrees-with-the-capsule"
TYPE_ANSWER = "python/device/type-is-published"
SHAPE = "c-abi/shape/exported-metadata-describes-the-array"
RELEASE = "c-abi/own/deleter-releases-the-source"
ELEMENTS = "c-abi/data/exported-elements-are-the-arrays"
OF_TOYS = {"PY-CAPSULE-04", "PY-THREAD-02"}  # capsules without a destructor, deleters in Python
GRAVE = {"CRASH", "TIMEOUT", "LEAK", "UNSAFE", "FAIL", "WARN"}


def judge(own, *more, answered="", exported="", ignores="", sweep=300):
    """`own` is the device of the arrays, `answered` that of __dlpack_device__, and `exported` that of the structs. "1" ignores keywords."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "adapter.py").write_text(ADAPTER.read_text())
        (folder / "library.toml").write_text(LIBRARY)
        ran = program.run("run", "elsewhere", "--adapter", folder, "--seed", 1, "--examples", 10, "--sweep", sweep, "--format", "json",
                          *more, environment={"SHAPE": "elsewhere", "TOY": TOY, "DEVICE": own, "ANSWERED": answered, "EXPORTED": exported,
                                              "IGNORES": ignores})
    return ran, program.Results(ran.out)


def grave(results):
    """By rule: what the library is accused of, apart from what is true of every toy."""
    return {cause["rule"]: cause for cause in results.causes if cause["verdict"] in GRAVE and cause["rule"] not in OF_TOYS}


class ALibraryElsewhere(unittest.TestCase):
    def test_is_not_accused_of_any_published_device(self):
        for device in PUBLISHED:
            with self.subTest(device):
                cases = (TYPE, ANSWER, SHAPE, RELEASE, ELEMENTS, FROM, "whole/export/*", "python/dl-device/*")
                ran, results = judge(f"{device},0", *(word for case in cases for word in ("--select", case)))
                self.assertIn(ran.status, (0, 1), ran.err)
                self.assertEqual(grave(results), {})
                for case in (TYPE, ANSWER, SHAPE, RELEASE):
                    self.assertEqual(results.cases[case]["verdict"], "PASS", results.cases[case])
                self.assertEqual(results.cases[ELEMENTS]["verdict"] == "PASS", device in ON_HOST, results.cases[ELEMENTS])
                self.assertEqual(results.cases[FROM]["verdict"], "SKIP")
                self.assertEqual(results.cases[FROM]["message"],
                                 f"the library has its arrays on device ({device}, 0), and refuses host memory")

    def test_is_accused_of_nothing_in_a_whole_run(self):
        _, results = judge("14,3", sweep=2000)
        self.assertEqual(grave(results), {})


class ADefect(unittest.TestCase):
    def judge(self, own, **devices):
        """The cases that report the library, and its causes."""
        cases = (TYPE, ANSWER, TYPE_ANSWER, "whole/export/*")
        _, results = judge(own, *(word for case in cases for word in ("--select", case)), **devices)
        return {case for case, line in results.cases.items() if line["verdict"] in GRAVE}, grave(results)

    def test_of_the_answer_is_reported(self):
        for answered in ("1,0", "8,0", "14,1"):
            with self.subTest(answered):
                cases, causes = self.judge("14,0", answered=answered)
                self.assertIn(ANSWER, cases)
                self.assertEqual({*causes}, {"PY-DEVICE-03"})

    def test_of_the_struct_is_reported(self):
        for exported in ("1,0", "8,0", "14,1"):
            with self.subTest(exported):
                cases, causes = self.judge("14,0", exported=exported)
                self.assertIn(ANSWER, cases)
                self.assertTrue(causes)

    def test_of_keywords_is_reported_once_for_each(self):
        _, results = judge("14,0", ignores="1", sweep=2000)
        causes = {cause["id"] for cause in results.causes if cause["verdict"] in GRAVE and cause["rule"] not in OF_TOYS}
        self.assertEqual(causes, {"export/struct-device/dl_device-pair", "export/place/copy-true"})

    def test_of_a_type_that_was_never_published_is_reported(self):
        for device in ("5,0", "6,0", "0,0", "-1,0"):
            with self.subTest(device):
                cases, causes = self.judge(device)
                self.assertLessEqual({TYPE, TYPE_ANSWER}, cases)
                self.assertTrue(causes)

    def test_of_a_negative_id_is_reported_with_the_device_that_is_right(self):
        _, causes = self.judge("14,-1")
        self.assertEqual({*causes}, {"C-DEVICE-01"})
        self.assertIn("OneAPI(14):0", str(causes["C-DEVICE-01"]["words"]))
        self.assertNotIn("CPU", str(causes["C-DEVICE-01"]["words"]))


if __name__ == "__main__":
    unittest.main()
