# tests/cuda/device_test.py: the cases for CUDA devices pass a correct library, and detect each defect.
"""The driver is a test double (fake_driver.cc), which the loader finds instead of the real one; the library is device_library/."""
import functools
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402
from defects import (ANNOUNCED, COPIES, DEFECTS, DELETERS, EXPLICIT, IMPORTS, KERNEL, MANAGED, OWN_ORDER,  # noqa: E402
                     PINNED, STAYS)

LIBRARY = str(program.TESTS / "cuda" / "device_library")
DRIVER = os.environ.get("FAKE_CUDA_DRIVER", str(pathlib.Path(program.PROGRAM).parent / "tests" / "cuda" / "driver"))
# A program that was built without nvcc has no kernels.
WITHOUT_KERNELS = {KERNEL} if os.environ.get("CUDA_KERNELS") == "0" else set()
CASES = {case for _, case, *_ in DEFECTS.values()} - WITHOUT_KERNELS
RESTATED = {"PY-COPY-05": "CUDA-STREAM-15", "PY-DLDEVICE-07": "CUDA-STREAM-16"}  # tested by the rule that a case names
# Other conforming behaviour, and the cases that must accept it.
FREEDOMS = {"waits-on-the-host": (EXPLICIT, COPIES), "synchronising-minus-one-consumer": (OWN_ORDER,),
            "passes-the-order-on": (IMPORTS + "are-used-on-the-announced-stream",),
            "waits-for-the-default-stream": (IMPORTS + "are-used-on-the-announced-stream",),
            # Like Numba: a first export is only asked for the type of its elements, and released.
            "looks-at-the-type-first": (IMPORTS + "are-used-on-the-announced-stream", IMPORTS + "keep-device-memory-alive",
                                        "c-abi/own/tensor-is-not-released-while-in-use"),
            "pinned-arrays": (PINNED,), "managed-arrays": (MANAGED,)}
# Defects that show while a stream is held: by a kernel, or by a host function.
HELD = ("ignores-handles", "orders-minus-one", "copies-apart", "works-on-another-stream", "ignores-work-streams")
FROM = "python/from/any-object-with-the-methods-is-taken"
# What the library does in other ways only.
ELSEWHERE = {OWN_ORDER, PINNED, MANAGED}


@functools.cache
def results_of(defect="", devices=2, select="cuda/*", kernels=1):
    """The results of the suite."""
    ran, results = program.judge(adapter=LIBRARY, select=[select], timeout=10, environment={
        "LD_LIBRARY_PATH": DRIVER, "CUDA_DEFECT": defect, "FAKE_CUDA_DEVICES": str(devices),
        "FAKE_CUDA_KERNELS": str(kernels)})
    assert results is not None, ran.err
    return results


def judged(*defect, **words):
    """The results by case."""
    return results_of(*defect, **words).cases


def listing(what):
    return json.loads(subprocess.run([program.PROGRAM, "list", what, "--json"], check=True, capture_output=True).stdout)


class ALibraryOnADevice(unittest.TestCase):
    def test_passes_every_case(self):
        cases = judged()
        others = {case: cases[case]["message"] for case in CASES if cases[case]["verdict"] != "PASS"}
        self.assertEqual(others, dict.fromkeys(ELSEWHERE, "no example was conclusive"))

    def test_is_accused_of_nothing(self):
        accused = {case: line["message"] for case, line in judged().items()
                   if line["verdict"] not in ("PASS", "NOTE", "SKIP", "BLOCKED")}
        self.assertEqual(accused, {})

    def test_passes_in_other_ways_too(self):
        for way, cases in FREEDOMS.items():
            for case in cases:
                with self.subTest(way=way, case=case):
                    self.assertEqual(judged(way, select=case)[case]["verdict"], "PASS")

    def test_is_caught_with_each_defect(self):
        for defect, (rule, case, *of_cause) in DEFECTS.items():
            if case in WITHOUT_KERNELS:
                continue
            with self.subTest(defect):
                results = results_of(defect, select=case)
                line = results.cases[case]
                self.assertEqual({cause["rule"] for cause in results.causes}, set(of_cause or [rule]))
                self.assertNotIn(line["verdict"], ("PASS", "SKIP", "BLOCKED"), line["message"])
                self.assertEqual(line["rule"], rule, line["message"])

    def test_is_judged_by_host_functions_where_kernels_are_missing(self):
        for defect in HELD:
            with self.subTest(defect):
                rule, case, *_ = DEFECTS[defect]
                self.assertEqual(judged(select=case, kernels=0)[case]["verdict"], "PASS")
                results = results_of(defect, select=case, kernels=0)
                self.assertEqual({cause["rule"] for cause in results.causes}, {rule})

    def test_skips_what_needs_two_devices_where_there_is_one(self):
        cases = judged(devices=1)
        passed = {case for case in CASES if cases[case]["verdict"] == "PASS"}
        self.assertEqual(CASES - passed, {STAYS, DELETERS, ANNOUNCED, *ELSEWHERE})
        self.assertTrue(all(cases[case]["verdict"] == "SKIP" for case in CASES - passed))


    def test_gets_no_handle_that_is_not_a_stream(self):
        results = results_of(select="python/*stream*")
        crashes = {case: line["message"] for case, line in results.cases.items() if line["verdict"] == "CRASH"}
        self.assertEqual(crashes, {})


    @unittest.skipUnless(WITHOUT_KERNELS, "the program has kernels")
    def test_skips_what_needs_a_kernel_and_says_so(self):
        line = judged(select=KERNEL)[KERNEL]
        self.assertEqual(line["verdict"], "SKIP")
        self.assertIn("without nvcc", line["message"])


class AMachineWithoutDevices(unittest.TestCase):
    def test_skips_every_case_and_says_what_is_missing(self):
        ran = program.run("run", "reference", "--select", "cuda/*", "--seed", 1, "--format", "json", environment={
            "LD_LIBRARY_PATH": DRIVER, "FAKE_CUDA_DEVICES": "0"})
        self.assertEqual(ran.status, 0, ran.err)
        results = program.Results(ran.out)
        self.assertEqual({line["verdict"] for line in results.lines}, {"SKIP"})
        self.assertEqual({line["message"] for line in results.lines},
                         {"the CUDA driver finds no device that it can use: cuInit returned 100"})


    def test_does_not_judge_a_consumer_that_refuses_host_memory(self):
        ran, results = program.judge(adapter=program.TESTS / "cuda" / "device_only", more=["--sweep", 50], environment={
            "LD_LIBRARY_PATH": DRIVER, "FAKE_CUDA_DEVICES": "0"})
        self.assertIsNotNone(results, ran.err)
        self.assertEqual({line["verdict"] for line in results.cases.values()}, {"SKIP"})
        self.assertEqual(results.cases[FROM]["message"], "the CUDA driver finds no device that it can use: cuInit returned "
                         "100, and the library refuses host memory")
        self.assertEqual([*results.causes], [])


class ARule(unittest.TestCase):
    def test_that_cuda_cases_alone_test_has_a_defect_here(self):
        cases = [case["case"] for case in listing("cases") if not case["case"].startswith("cuda/")]
        broken = {rule for rule, *_ in DEFECTS.values()}
        for rule in listing("rules"):
            if rule["status"] == "tested" and not set(rule["cases"]) & set(cases):
                self.assertIn(RESTATED.get(rule["id"], rule["id"]), broken)


if __name__ == "__main__":
    unittest.main()
