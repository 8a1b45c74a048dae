# tests/worker/lost_threads_test.py: a hang for want of threads that a fork took is not a deviation of the library.
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

CASES = ("c-abi/layout/*", "c-abi/version/both-struct-kinds-are-taken", "python/from/well-formed-tensors-are-taken-or-refused", "whole/import/*")
# A toy with a pool of one thread. It does this when it takes the pointer of a capsule with a `name`.
WITH_A_POOL = """
import concurrent.futures, time
POOL = concurrent.futures.ThreadPoolExecutor(1)
POOL.submit(int).result()
correct_api = API
class Pooled:
    def __getattr__(self, name):
        return getattr(correct_api, name)
    def PyCapsule_GetPointer(self, capsule, name):
        {deed}
        return correct_api.PyCapsule_GetPointer(capsule, name)
API = Pooled()
"""
SENTENCE = "toy hung in a forked process, but not in a process that imported it itself"


def judge(deed, jobs=1):
    with tempfile.TemporaryDirectory() as folder:
        adapter = program.toy_that(folder, WITH_A_POOL.replace("{deed}", deed), ["consumer"])
        return program.judge(adapter=adapter, select=CASES, more=("--sweep", "100", "-j", jobs, "--python", sys.executable))


def hangs(results):
    return {(cause["id"], cause["rule"]) for cause in results.causes if cause["verdict"] == "TIMEOUT"}


class AHangOfAForkedProcess(unittest.TestCase):
    def test_is_the_assumption_of_dlpack_cts_and_the_run_goes_on(self):
        for jobs in (1, 2):
            with self.subTest(jobs=jobs):
                ran, results = judge("POOL.submit(int).result()", jobs)
                self.assertIsNotNone(results, ran.err)
                self.assertEqual(hangs(results), set())
                verdicts = {line["verdict"] for line in results.lines}
                self.assertIn("PASS", verdicts)
                self.assertNotIn("TIMEOUT", verdicts)
                self.assertEqual(ran.err.count(SENTENCE), 1, ran.err)
                self.assertIn("The library had 1 thread before the fork", ran.err)
                self.assertIn("hint: set fork_safe = false in library.toml", ran.err)
                lines = [line["words"] for line in results.header["profile"] if line["id"] == "lost-threads"]
                self.assertEqual(len(lines), 1)

    def test_is_the_librarys_own_if_it_hangs_without_a_fork_too(self):
        ran, results = judge("time.sleep(3600 if name == LEGACY else 0)")
        self.assertIsNotNone(results, ran.err)
        self.assertEqual(hangs(results), {("import/hang/legacy", "PY-FROM-11")})
        self.assertNotIn(SENTENCE, ran.err)

    def test_does_not_hide_a_hang_of_the_library(self):
        ran, results = judge("POOL.submit(int).result(), time.sleep(3600 if name == LEGACY else 0)")
        self.assertIsNotNone(results, ran.err)
        self.assertEqual(hangs(results), {("import/hang/legacy", "PY-FROM-11")})


if __name__ == "__main__":
    unittest.main()
