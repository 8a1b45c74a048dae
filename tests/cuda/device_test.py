# tests/cuda/device_test.py: the cases for CUDA devices pass a library that is right about its own, and catch each defect.
"""The driver is a double (fake_driver.cc), found where the loader finds the real one; the library is device_library/."""
import functools
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

LIBRARY = str(program.TESTS / "cuda" / "device_library")
DRIVER = os.environ.get("FAKE_CUDA_DRIVER", str(pathlib.Path(program.PROGRAM).parent / "tests" / "cuda" / "driver"))
MEMORY = "cuda/memory/driver-knows-it-as-device-memory"
STREAMS = "cuda/streams/named-streams-lead-to-the-array"
HOST = "cuda/host-copies/have-the-arrays-elements"
STAYS, DELETERS = "cuda/current-device/stays-behind-an-export", "cuda/deleters/leave-the-current-device-alone"
ANNOUNCED = "cuda/streams/announced-stream-is-of-the-producers-device"

# Defects of device_library/gpu.py: the cases that have to tell, and the rule that they name.
DEFECTS = {
    "pinned-memory": ("CUDA-MEM-01", MEMORY),
    "host-memory": ("CUDA-MEM-01", MEMORY),
    "memory-of-another-device": ("CUDA-MEM-01", MEMORY),
    "another-address": ("CUDA-MEM-03", "cuda/memory/exported-address-is-the-arrays"),
    "unaligned-arrays": ("CUDA-MEM-04", "cuda/memory/whole-arrays-are-256-byte-aligned"),
    "deleter-wants-a-device": ("CUDA-MEM-07", "cuda/deleters/run-on-a-thread-without-a-device"),
    "deleter-leaks": ("CUDA-MEM-07", "cuda/deleters/run-on-a-thread-without-a-device"),
    "deleter-changes-the-device": ("CUDA-MEM-07", DELETERS),
    "device-stays-changed": ("CUDA-MEM-08", STAYS),
    "copies-for-stream-1": ("CUDA-STREAM-04", STREAMS),
    "copies-for-stream-2": ("CUDA-STREAM-05", STREAMS),
    "stream-of-the-first-device": ("CUDA-STREAM-11", ANNOUNCED),
    "synchronises-exports": ("CUDA-STREAM-14", "cuda/captures/survive-an-export-without-order"),
    "synchronises-table-exports": ("XAPI-FROM-04", "cuda/captures/survive-an-export-by-the-table"),
    "synchronises-views": ("XAPI-DLT-04", "cuda/captures/survive-a-view-by-the-table"),
    "unfilled-host-copy": ("PY-DLDEVICE-04", HOST),
    "device-kept-for-the-host": ("PY-DLDEVICE-04", HOST),
    "host-refused-otherwise": ("PY-DLDEVICE-04", HOST),
    "wrapped-stream": ("XAPI-STREAM-04", "cuda/exchange-table/work-stream-is-a-native-handle"),
}
CASES = {case for _, case in DEFECTS.values()}


@functools.cache
def judged(defect="", devices=2):
    """The results of the suite, by case."""
    ran, results = program.judge(adapter=LIBRARY, select=["cuda/*"], timeout=10, environment={
        "LD_LIBRARY_PATH": DRIVER, "CUDA_DEFECT": defect, "FAKE_CUDA_DEVICES": str(devices)})
    assert results is not None, ran.err
    return results.cases


def listing(what):
    return json.loads(subprocess.run([program.PROGRAM, "list", what, "--json"], check=True, capture_output=True).stdout)


class ALibraryOnADevice(unittest.TestCase):
    def test_passes_every_case(self):
        cases = judged()
        self.assertEqual({case: cases[case]["message"] for case in CASES if cases[case]["verdict"] != "PASS"}, {})

    def test_is_accused_of_nothing(self):
        accused = {case: line["message"] for case, line in judged().items()
                   if line["verdict"] not in ("PASS", "NOTE", "SKIP", "BLOCKED")}
        self.assertEqual(accused, {})

    def test_is_caught_with_each_defect(self):
        for defect, (rule, case) in DEFECTS.items():
            with self.subTest(defect):
                line = judged(defect)[case]
                self.assertNotIn(line["verdict"], ("PASS", "SKIP", "BLOCKED"), line["message"])
                self.assertEqual(line["rule"], rule, line["message"])

    def test_skips_what_needs_two_devices_where_there_is_one(self):
        cases = judged(devices=1)
        passed = {case for case in CASES if cases[case]["verdict"] == "PASS"}
        self.assertEqual(CASES - passed, {STAYS, DELETERS, ANNOUNCED})
        self.assertTrue(all(cases[case]["verdict"] == "SKIP" for case in CASES - passed))


class AMachineWithoutDevices(unittest.TestCase):
    def test_skips_every_case_and_says_what_is_missing(self):
        ran = program.run("run", "reference", "--select", "cuda/*", "--seed", 1, "--format", "json", environment={
            "LD_LIBRARY_PATH": DRIVER, "FAKE_CUDA_DEVICES": "0"})
        self.assertEqual(ran.status, 0, ran.err)
        results = program.Results(ran.out)
        self.assertEqual({line["verdict"] for line in results.lines}, {"SKIP"})
        self.assertEqual({line["message"] for line in results.lines},
                         {"the CUDA driver finds no device that it can use: cuInit gives 100"})


class ARule(unittest.TestCase):
    def test_that_cuda_cases_alone_test_has_a_defect_here(self):
        cases = [case["case"] for case in listing("cases") if not case["case"].startswith("cuda/")]
        broken = {rule for rule, _ in DEFECTS.values()}
        for rule in listing("rules"):
            if rule["status"] == "tested" and not set(rule["cases"]) & set(cases):
                self.assertIn(rule["id"], broken)


if __name__ == "__main__":
    unittest.main()
