# tests/worker/leftovers_test.py: processes that a library leaves behind end with their case or with the run, even if they left their group.
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402
from interruption_test import wait_for, workers  # noqa: E402

SELECT = ("--select", "c-abi/flags/*")


class ALibraryThatLeavesProcesses(unittest.TestCase):
    def setUp(self):
        self.tag = f"DLPACK_CTS_TEST={os.getpid()}-{self.id()}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, misdeed, *more):
        name, value = self.tag.split("=")
        process = subprocess.Popen(
            [program.PROGRAM, "run", "misbehaving", "--adapter", program.TOY, "--examples", "3", "-j", "1", *SELECT,
             "--format", "json", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "MISDEED": misdeed, name: value, "TMPDIR": self.folder, "LEFT": self.folder + "/left"})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def left(self):
        """The number of times that the library has left processes behind."""
        return os.path.getsize(self.folder + "/left") if os.path.exists(self.folder + "/left") else 0

    def test_leaves_none_after_a_run_and_gets_the_usual_verdicts(self):
        usual = {case: line["verdict"] for case, line in program.Results(self.start("").communicate(timeout=60)[0]).cases.items()}
        for misdeed in ("import:leave_processes", "always:leave_processes", "deleter:leave_processes",
                        "keep_forking"):
            with self.subTest(misdeed):
                out, errors = self.start(misdeed).communicate(timeout=100)
                verdicts = {case: line["verdict"] for case, line in program.Results(out).cases.items()}
                self.assertEqual(verdicts, usual, errors)
                self.assertGreater(self.left(), 0)
                self.assertEqual(workers(self.tag.encode()), [])
                os.remove(self.folder + "/left")

    def test_leaves_none_when_the_driver_is_interrupted_or_killed(self):
        for number in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(number):
                process = self.start("import:leave_processes_and_hang")
                self.assertTrue(wait_for(self.left))
                process.send_signal(number)
                process.communicate(timeout=20)
                self.assertTrue(wait_for(lambda: not workers(self.tag.encode()), 5), workers(self.tag.encode()))
                os.remove(self.folder + "/left")

    def test_keeps_those_of_its_import_until_its_end(self):
        out, errors = self.start("import:need_a_process").communicate(timeout=60)
        verdicts = [line["verdict"] for line in program.Results(out).lines]
        self.assertNotIn("CRASH", verdicts, errors)
        self.assertEqual(workers(self.tag.encode()), [])


if __name__ == "__main__":
    unittest.main()
