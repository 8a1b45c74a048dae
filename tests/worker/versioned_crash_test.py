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


if __name__ == "__main__":
    unittest.main()
