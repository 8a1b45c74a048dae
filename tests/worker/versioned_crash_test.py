# tests/worker/versioned_crash_test.py: a library that crashes with versioned structs has its crashes with legacy ones reported.
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

TOGETHER = "c-abi/own/imports-on-several-threads-are-released-once"
DIES = program.dies_if("name == VERSIONED or threading.current_thread() is not threading.main_thread()")


class ACrashOfLegacyStructs(unittest.TestCase):
    def test_is_not_reported_as_the_crash_of_a_versioned_one(self):
        with tempfile.TemporaryDirectory() as folder:
            adapter = program.toy_that(folder, DIES, ["consumer"])
            ran, results = program.judge(adapter=adapter, select=[TOGETHER], more=("--sweep", "0", "--python", sys.executable))
        self.assertIsNotNone(results, ran.err)
        causes = {(cause["id"], cause["rule"]) for cause in results.causes if cause["verdict"] == "CRASH"}
        self.assertEqual(causes, {("import/release/legacy+step-import-together", "C-OWN-02")})

    def test_is_not_reported_as_a_race_if_a_single_import_crashes(self):
        crowd = "c-abi/own/many-imports-are-apart"
        plain = "c-abi/layout/legacy-struct-is-read-in-its-layout"
        cause = {("import/memory-in-a-call/legacy", "PY-FROM-11")}
        for select in ([TOGETHER], [TOGETHER, crowd, plain]):
            with self.subTest(select=select), tempfile.TemporaryDirectory() as folder:
                adapter = program.toy_that(folder, program.dies_if("name == LEGACY"), ["consumer"])
                ran, results = program.judge(adapter=adapter, select=select, more=("--sweep", "0", "--python", sys.executable))
                self.assertIsNotNone(results, ran.err)
                crashes = [one for one in results.causes if one["verdict"] == "CRASH"]
                self.assertEqual({(one["id"], one["rule"]) for one in crashes}, cause)
                # A case that the cause blocks runs again without legacy structs.
                reports = {name for name, case in results.cases.items() if case["verdict"] == "CRASH"}
                self.assertEqual(reports, {select[-1]})

    def test_has_a_cause_of_its_own(self):
        cases = ["c-abi/version/both-struct-kinds-are-taken", "c-abi/own/null-deleter-is-not-called",
                 "python/from/well-formed-tensors-are-taken-or-refused", "c-abi/layout/legacy-struct-is-read-in-its-layout"]
        deed = program.dies_if("name == VERSIONED or not Managed.from_address(correct_api.PyCapsule_GetPointer(capsule, name)).deleter")
        with tempfile.TemporaryDirectory() as folder:
            adapter = program.toy_that(folder, deed, ["consumer"])
            ran, results = program.judge(adapter=adapter, select=cases, more=("--sweep", "300", "--python", sys.executable))
        self.assertIsNotNone(results, ran.err)
        causes = {(cause["id"], cause["rule"]) for cause in results.causes if cause["verdict"] == "CRASH"}
        self.assertEqual(causes, {("import/memory-in-a-call/versioned", "PY-FROM-11"),
                                  ("import/memory-in-a-call/null-deleter+legacy", "C-OWN-05")})
        self.assertEqual(results.cases[cases[1]]["breached"], ["C-OWN-05"])
        self.assertEqual(results.cases[cases[3]]["verdict"], "PASS")


if __name__ == "__main__":
    unittest.main()
