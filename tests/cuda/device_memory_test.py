# tests/cuda/device_memory_test.py: the usual cases of consumers judge imports of device memory.
"""The library and the driver are those of device_test.py. CUDA_TAKES says which memory the library imports.

The pattern beside the elements is checked by a kernel, and copied to the host where the device has no kernels."""
import functools
import unittest

from defects import IMPORT_DEFECTS
from device_test import DRIVER, LIBRARY, program

CASES = ("c-abi/strides/*", "c-abi/own/tensor-*", "c-abi/own/refused*", "python/from/*", "python/stream/nothing*",
         "robustness/shape/*", *(case for _, case in IMPORT_DEFECTS.values()))
CUDA = 2  # kDLCUDA
BESIDE = "writes-beside-the-tensor"
TAKES = {"device": "memory of CUDA devices only", "both": "memory of the host and of CUDA devices"}


@functools.cache
def results_of(takes, defect="", select=CASES, kernels="1"):
    ran, results = program.judge(adapter=LIBRARY, select=select, timeout=10, environment={
        "LD_LIBRARY_PATH": DRIVER, "CUDA_DEFECT": defect, "CUDA_TAKES": takes, "FAKE_CUDA_DEVICES": "1",
        "FAKE_CUDA_KERNELS": kernels})
    assert results is not None, ran.err
    return results


def accused(results):
    return {case: line["message"] for case, line in results.cases.items()
            if line["verdict"] not in ("PASS", "NOTE", "SKIP", "BLOCKED") and not line["hostile"]}


class AConsumerOfDeviceMemory(unittest.TestCase):
    def test_is_accused_of_nothing(self):
        for takes in TAKES:
            with self.subTest(takes):
                self.assertEqual(accused(results_of(takes)), {})

    def test_is_judged(self):
        for takes in TAKES:
            for _, case in IMPORT_DEFECTS.values():
                with self.subTest(takes=takes, case=case):
                    self.assertEqual(results_of(takes).cases[case]["verdict"], "PASS")

    def test_that_looks_at_the_type_first_is_accused_of_nothing(self):
        self.assertEqual(accused(results_of("device", "looks-at-the-type-first")), {})

    def test_is_described_in_the_profile(self):
        for takes, words in TAKES.items():
            profile = results_of(takes).header["profile"]
            self.assertEqual([line["words"] for line in profile if line["id"] == "device"], [words])

    def test_is_reported_with_each_defect(self):
        for takes in TAKES:
            for defect, (rule, case) in IMPORT_DEFECTS.items():
                with self.subTest(takes=takes, defect=defect):
                    results = results_of(takes, defect, (case,))
                    self.assertEqual({cause["rule"] for cause in results.causes}, {rule})
                    self.assertEqual(list(accused(results)), [case])
                    # A library that takes device memory only would refuse a smaller example in host memory.
                    recipes = [cause["recipe"] for cause in results.causes if takes == "device"]
                    devices = {offer["device"]["device_type"] for recipe in recipes for offer in recipe["offers"]}
                    self.assertIn(devices, (set(), {CUDA}))

    def test_is_judged_without_kernels_too(self):
        rule, case = IMPORT_DEFECTS[BESIDE]
        for takes in TAKES:
            with self.subTest(takes):
                self.assertEqual(results_of(takes, select=(case,), kernels="0").cases[case]["verdict"], "PASS")
                results = results_of(takes, BESIDE, (case,), "0")
                self.assertEqual({cause["rule"] for cause in results.causes}, {rule})
                self.assertEqual(list(accused(results)), [case])

    def test_gets_no_invalid_input_where_a_guard_page_is_missing(self):
        hostile = [line for case, line in results_of("device").cases.items() if case.startswith("robustness/")]
        self.assertEqual({line["verdict"] for line in hostile}, {"BLOCKED"})


if __name__ == "__main__":
    unittest.main()
