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

LIBRARY = str(program.TESTS / "cuda" / "device_library")
DRIVER = os.environ.get("FAKE_CUDA_DRIVER", str(pathlib.Path(program.PROGRAM).parent / "tests" / "cuda" / "driver"))
MEMORY = "cuda/memory/driver-knows-it-as-device-memory"
STREAMS = "cuda/streams/named-streams-lead-to-the-array"
HOST = "cuda/host-copies/have-the-arrays-elements"
STAYS, DELETERS = "cuda/current-device/stays-behind-an-export", "cuda/deleters/leave-the-current-device-alone"
ANNOUNCED = "cuda/streams/announced-stream-is-of-the-producers-device"
ORDER, IMPORTS = "cuda/order/", "cuda/imports/"
EXPLICIT, MINUS_ONE = ORDER + "explicit-stream-comes-behind-pending-work", ORDER + "minus-one-waits-for-nothing"
COPIES, OWN_ORDER = ORDER + "copies-run-on-the-consumers-stream", IMPORTS + "take-the-order-over"

# Defects of device_library/gpu.py: the rule and the case that must report the defect, and the rule of the cause if that is a
# rule for any memory.
DEFECTS = {
    "pinned-memory": ("CUDA-MEM-01", MEMORY),
    "host-memory": ("CUDA-MEM-01", MEMORY),
    "memory-of-another-device": ("CUDA-MEM-01", MEMORY),
    "another-address": ("CUDA-MEM-03", "cuda/memory/exported-address-is-the-arrays", "PY-COPY-04"),
    "unaligned-arrays": ("CUDA-MEM-04", "cuda/memory/whole-arrays-are-256-byte-aligned"),
    "deleter-wants-a-device": ("CUDA-MEM-07", "cuda/deleters/run-on-a-thread-without-a-device", "C-OWN-12"),
    "deleter-leaks": ("CUDA-MEM-07", "cuda/deleters/run-on-a-thread-without-a-device", "C-OWN-20"),
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
    "ignores-handles": ("CUDA-STREAM-01", EXPLICIT),
    "takes-handles-for-the-default": ("CUDA-STREAM-06", EXPLICIT),
    "ignores-none": ("CUDA-STREAM-02", ORDER + "none-is-the-legacy-default-stream"),
    "ignores-no-argument": ("CUDA-STREAM-03", ORDER + "no-argument-is-the-legacy-default-stream"),
    "ignores-1": ("CUDA-STREAM-04", ORDER + "named-streams-come-behind-pending-work"),
    "ignores-2": ("CUDA-STREAM-05", ORDER + "named-streams-come-behind-pending-work"),
    "orders-minus-one": ("CUDA-STREAM-07", MINUS_ONE),
    "blocks-for-minus-one": ("CUDA-STREAM-07", MINUS_ONE),
    "host-copies-at-once": ("CUDA-STREAM-16", ORDER + "host-copies-are-complete"),
    "copies-apart": ("CUDA-STREAM-15", COPIES),
    "unfilled-copies": ("CUDA-STREAM-15", COPIES),
    "keeps-the-stream": ("CUDA-STREAM-12", ORDER + "streams-are-forgotten-behind-the-export"),
    "works-on-another-stream": ("CUDA-STREAM-10", IMPORTS + "are-used-on-the-announced-stream"),
    "hasty-minus-one-consumer": ("CUDA-STREAM-20", OWN_ORDER),
    "accesses-are-wide": ("CUDA-MEM-05", IMPORTS + "read-at-any-alignment"),
    "releases-at-once": ("CUDA-MEM-06", IMPORTS + "keep-device-memory-alive"),
    "another-work-stream": ("XAPI-STREAM-01", "cuda/exchange-table/work-stream-is-the-librarys-own"),
    "wrapped-stream": ("XAPI-STREAM-04", "cuda/exchange-table/work-stream-is-a-native-handle"),
}
CASES = {case for _, case, *_ in DEFECTS.values()}
RESTATED = {"PY-COPY-05": "CUDA-STREAM-15", "PY-DLDEVICE-07": "CUDA-STREAM-16"}  # tested by the rule that a case names
# Other conforming behaviour, and the cases that must accept it.
FREEDOMS = {"waits-on-the-host": (EXPLICIT, COPIES), "synchronising-minus-one-consumer": (OWN_ORDER,)}


@functools.cache
def results_of(defect="", devices=2, select="cuda/*"):
    """The results of the suite."""
    ran, results = program.judge(adapter=LIBRARY, select=[select], timeout=10, environment={
        "LD_LIBRARY_PATH": DRIVER, "CUDA_DEFECT": defect, "FAKE_CUDA_DEVICES": str(devices)})
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
        self.assertEqual(others, {OWN_ORDER: "no example was conclusive"})

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
            with self.subTest(defect):
                results = results_of(defect, select=case)
                line = results.cases[case]
                self.assertEqual({cause["rule"] for cause in results.causes}, set(of_cause or [rule]))
                self.assertNotIn(line["verdict"], ("PASS", "SKIP", "BLOCKED"), line["message"])
                self.assertEqual(line["rule"], rule, line["message"])

    def test_skips_what_needs_two_devices_where_there_is_one(self):
        cases = judged(devices=1)
        passed = {case for case in CASES if cases[case]["verdict"] == "PASS"}
        self.assertEqual(CASES - passed, {STAYS, DELETERS, ANNOUNCED, OWN_ORDER})
        self.assertTrue(all(cases[case]["verdict"] == "SKIP" for case in CASES - passed))


class AMachineWithoutDevices(unittest.TestCase):
    def test_skips_every_case_and_says_what_is_missing(self):
        ran = program.run("run", "reference", "--select", "cuda/*", "--seed", 1, "--format", "json", environment={
            "LD_LIBRARY_PATH": DRIVER, "FAKE_CUDA_DEVICES": "0"})
        self.assertEqual(ran.status, 0, ran.err)
        results = program.Results(ran.out)
        self.assertEqual({line["verdict"] for line in results.lines}, {"SKIP"})
        self.assertEqual({line["message"] for line in results.lines},
                         {"the CUDA driver finds no device that it can use: cuInit returned 100"})


class ARule(unittest.TestCase):
    def test_that_cuda_cases_alone_test_has_a_defect_here(self):
        cases = [case["case"] for case in listing("cases") if not case["case"].startswith("cuda/")]
        broken = {rule for rule, *_ in DEFECTS.values()}
        for rule in listing("rules"):
            if rule["status"] == "tested" and not set(rule["cases"]) & set(cases):
                self.assertIn(RESTATED.get(rule["id"], rule["id"]), broken)


if __name__ == "__main__":
    unittest.main()
