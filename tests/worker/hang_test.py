# tests/worker/hang_test.py: a library that hangs costs a few time limits, not one for each case.
import concurrent.futures
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

HANGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hanging")
# The way it hangs: the start of its cause, the rule.
WAYS = {
    "import": ("import/hang", "PY-FROM-11"),
    "export": ("export/hang", "PY-DLPACK-13"),
    "deleter": ("export/hang", "PY-THREAD-03"),
    "helper": ("export/hang", "PY-THREAD-03"),
    "lock": ("import/hang/step-import-together", "PY-FROM-11"),
    "dropped": ("export/release/", "C-OWN-11"),
}
# How many hangs each way has; 1 if it is not named. A lock that is held while a producer runs also blocks a nested import.
HANGS = {"dropped": 0, "lock": 2}
MOST_LIMITS = 5
MOST_SECONDS = 120  # of six runs at the same time; each case that waits for its limit would make it more than 400
SLOW = ("slow-deleter", "slow-import")
# The limit in a step that is known to hang is shorter than this pause.
HANGS_OR_IS_SLOW = """
import time
correct_values = values
def values(array):
    if array.dtype == "uint8":
        time.sleep(3600)
    if array.dtype == "float64":
        time.sleep(0.3)
    return correct_values(array)
"""
SCALARS = ("c-abi/dtype/exported-*", "c-abi/dtype/imported-*", "c-abi/dtype/type-codes-*")
REPEATED = ("c-abi/own/*apart*", "*gives-the-memory-back*")  # their steps repeat exports and imports


def run(way, select=(), examples=10):
    selection = [word for glob in select for word in ("--select", glob)]
    ran = program.run("run", "hanging", "--adapter", HANGING, "--seed", 1, "--timeout", 1, "--examples", examples, "--sweep", 200,
                      "-j", 1, "--format", "json", *selection, environment={"HANG": way}, seconds=600)
    return program.Results(ran.out)


class AKnownHang(unittest.TestCase):
    def test_is_paid_for_once_and_is_one_cause(self):
        with concurrent.futures.ThreadPoolExecutor(len(WAYS)) as runs:
            results = dict(zip(WAYS, runs.map(run, WAYS)))
        for way, (cause, rule) in WAYS.items():
            with self.subTest(way):
                footer = results[way].footer
                hangs = [one for one in results[way].causes if one["verdict"] == "TIMEOUT"]
                found = [one for one in results[way].causes if one["id"].startswith(cause) and one["rule"] == rule]
                self.assertEqual(len(hangs), HANGS.get(way, 1), [one["id"] for one in hangs])
                self.assertTrue(found, [(one["id"], one["rule"]) for one in results[way].causes])
                self.assertLessEqual(footer["time_limits"], MOST_LIMITS)
                self.assertLess(footer["seconds"], MOST_SECONDS)


class ASlowLibrary(unittest.TestCase):
    def test_does_not_hang_in_steps_that_repeat_exports_and_imports(self):
        with concurrent.futures.ThreadPoolExecutor(len(SLOW)) as runs:
            for way, results in zip(SLOW, runs.map(lambda way: run(way, REPEATED, 2), SLOW)):
                with self.subTest(way):
                    self.assertEqual([one["id"] for one in results.causes if one["verdict"] == "TIMEOUT"], [])
                    self.assertEqual(results.footer["time_limits"], 0)
                    self.assertLess(results.footer["seconds"], MOST_SECONDS)

    def test_does_not_hang_in_the_step_in_which_another_exchange_hung(self):
        with tempfile.TemporaryDirectory() as folder:
            adapter = program.toy_that(folder, HANGS_OR_IS_SLOW, ["consumer", "producer"])
            ran, results = program.judge(adapter=adapter, select=SCALARS, timeout=1.5,
                                         more=("--sweep", "0", "--python", sys.executable, "-j", 1))
        hangs = {one["id"] for one in results.causes if "/hang/" in one["id"]}
        self.assertEqual(hangs, {"export/hang/dtype-uint8", "import/hang/dtype-uint8"}, ran.err)


if __name__ == "__main__":
    unittest.main()
