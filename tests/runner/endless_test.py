# tests/runner/endless_test.py: what a user gives may have no end, and every run still ends.
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import program
from interruption_test import wait_for

HANGING = str(program.TESTS / "worker" / "hanging")


class EndlessInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_interpreter_that_prints_for_ever_is_one_message(self):
        python = self.folder / "python"
        python.write_text("#!/bin/sh\n[ -e /proc/self/fd/3 ] && exec yes >&3\nexec yes\n")
        python.chmod(0o755)
        ran = program.run("run", "misbehaving", "--adapter", program.TOY, "--python", python)
        self.assertEqual(ran.status, 2, ran.err)
        self.assertEqual(ran.complaints(), [f"dlpack-cts: the interpreter {python} did not answer a question about its "
                                            "version"])
        self.assertEqual(len(ran.hints()), 1)

    def test_pipe_as_a_file_ends_with_one_signal(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        (self.folder / "library").mkdir()
        os.mkfifo(self.folder / "library" / "library.toml")
        commands = [("run", "reference", "--expectations", pipe), ("replay", pipe), ("report", pipe),
                    ("run", "mine", "--adapter", self.folder / "library")]
        for command, number in zip(commands, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)):
            with self.subTest(command=command, signal=number):
                process = subprocess.Popen([program.PROGRAM, *map(str, command)], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.kill)
                # If it waits in open(), it never has a descriptor of the pipe.
                target = "library.toml" if command[1] == "mine" else "pipe"
                descriptors = pathlib.Path(f"/proc/{process.pid}/fd")
                wait_for(lambda: any(os.path.basename(os.path.realpath(one)) == target for one in descriptors.glob("*")), 5)
                process.send_signal(number)
                _, errors = process.communicate(timeout=20)
                self.assertEqual((process.returncode, "hint" in errors), (130, False), errors)

    def test_time_limit_of_a_run_leaves_the_other_cases_as_skip(self):
        ran = program.run("run", "hanging", "--adapter", HANGING, "--seed", 1, "--timeout", 100, "--time-limit", 3,
                          "--select", "c-abi/flags/*", "--select", "c-abi/strides/*", "-j", 1, "--format", "json",
                          environment={"HANG": "import"})
        results = program.Results(ran.out)
        self.assertFalse(results.footer["complete"])
        self.assertFalse(results.footer["interrupted"])
        self.assertLess(results.footer["seconds"], 30)
        self.assertEqual({line["verdict"] for line in results.lines}, {"SKIP"})
        self.assertEqual({line["message"] for line in results.lines}, {"time limit of the run"})
        self.assertEqual(ran.status, 2)
        # The toy makes a mistake in a case before the one that hangs.
        ran, results = program.judge("hang", select=("c-abi/flags/*",), timeout=100, more=("--time-limit", 3, "-j", 1))
        self.assertEqual((ran.status, results.footer["complete"], results.footer["unexpected"] > 0), (1, False, True), ran.err)
        hung = results.cases["c-abi/flags/unknown-flags-are-noticed"]
        self.assertEqual((hung["verdict"], hung["message"]), ("SKIP", "time limit of the run"))
        whole = program.run("run", "reference", "--select", "c-abi/flags/*", "--time-limit", 100, "--format", "json")
        self.assertTrue(program.Results(whole.out).footer["complete"])
        self.assertEqual(whole.status, 0)


if __name__ == "__main__":
    unittest.main()
