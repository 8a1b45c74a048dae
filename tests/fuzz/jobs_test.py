# tests/fuzz/jobs_test.py: a campaign loses no finding, whatever a library does to one job or to several.
"""Usage: DLPACK_CTS=path jobs_test.py. Skipped where the target is not built (it needs clang)."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import built
from built import PROGRAM

# Refuses every tensor, and after some of them one job does what MISBEHAVIOUR says.
ADAPTER = '''
import ctypes, os, signal, sys, time
PAUSE = float(os.environ.get("PAUSE", "0"))
WHAT = os.environ.get("MISBEHAVIOUR", "")
count = 0
hoard = []
if WHAT == "import":
    sys.stderr.write("dlpack-cts: \\x1b[2J\\n")
    raise ImportError("no such library")

def first():
    try:
        os.close(os.open(os.environ["ONCE"], os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return os.environ.get("EVERYBODY", "") != ""

def version():
    return "1.0"

def from_dlpack(obj, **kw):
    global count
    count += 1
    time.sleep(PAUSE) if PAUSE else None
    if count == 200 and WHAT and first():
        misbehave()
    raise BufferError("no")

def misbehave():
    if WHAT == "hang":
        time.sleep(1000)
    elif WHAT == "hang-against-signals":
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
        time.sleep(1000)
    elif WHAT == "crash":
        ctypes.string_at(8)
    elif WHAT == "abort":
        os.abort()
    elif WHAT == "leave":
        os._exit(0)
    elif WHAT == "exit":
        ctypes.CDLL(None).exit(0)
    elif WHAT == "kill-the-group":
        os.killpg(0, signal.SIGKILL)
    elif WHAT == "grow":
        while True:
            hoard.append(bytearray(b"1" * (16 << 20)))

def describe(array):
    raise NotImplementedError
values = write = describe
'''
LIBRARY = 'name = "mine"\nkind = "python"\nroles = ["consumer"]\n'


class Campaign(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.reset()
        (self.folder / "adapter.py").write_text(ADAPTER)
        (self.folder / "library.toml").write_text(LIBRARY)

    def reset(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "out"

    def command(self, *options, seconds=3):
        return [PROGRAM, "fuzz", "import", "mine", "--adapter", str(self.folder), "--python", sys.executable,
                "--seconds", str(seconds), "--out", str(self.out), *map(str, options)]

    def environment(self, what, **more):
        return {**os.environ, "DLPACK_CTS_FUZZ_MUTANT": "", "DLPACK_CTS_FUZZ_TIER": "", "MISBEHAVIOUR": what,
                "ONCE": str(self.out) + ".once", **more}

    def fuzz(self, what, *options, seconds=3, **more):
        began = time.monotonic()
        run = subprocess.run(self.command(*options, seconds=seconds), text=True, capture_output=True, check=False,
                             timeout=90, env=self.environment(what, **more))
        run.took = time.monotonic() - began
        return run

    def kept(self):
        return sorted(file.name for file in self.out.iterdir() if re.match("(crash|timeout|oom)-", file.name))

    def expect_found(self, run, kind, words):
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, rf"found: {words}")
        self.assertNotIn("nothing found", run.stdout)
        self.assertEqual([name.split("-")[0] for name in self.kept()], [kind])
        self.assertIn(f"replay: dlpack-cts replay {self.out}/{self.kept()[0]}", run.stdout)


class AnyDeathIsAFinding(Campaign):
    def each(self, misbehaviours):
        for jobs in (1, 2):
            for what, kind, words in misbehaviours:
                with self.subTest(jobs=jobs, what=what):
                    self.reset()
                    run = self.fuzz(what, "--jobs", jobs, "--memory", 256, "--timeout", 60, seconds=40)
                    self.expect_found(run, kind, words)

    def test_that_a_signal_brings(self):
        self.each([("crash", "crash", "CRASH: .*Segmentation fault"), ("abort", "crash", "CRASH: .*Aborted"),
                   ("kill-the-group", "crash", "CRASH: .*Killed")])

    def test_that_looks_like_a_good_end(self):
        self.each([("leave", "crash", "CRASH: .*status 0"), ("exit", "crash", "CRASH: .*status 0")])

    def test_of_memory(self):
        self.each([("grow", "oom", "CRASH: the process used more than 256 MiB of memory")])

    def test_of_two_jobs_keeps_the_inputs_of_both(self):
        run = self.fuzz("crash", "--jobs", 2, EVERYBODY="1")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(len(set(re.findall("input:  (.*)", run.stdout))), len(self.kept()))
        self.assertEqual(list(self.out.glob("*.part")), [])

    def test_does_not_hide_behind_findings_of_an_earlier_campaign(self):
        self.fuzz("crash")
        run = self.fuzz("", seconds=1)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("nothing found", run.stdout)
        self.assertEqual(len(self.kept()), 1)


class TimeIsKept(Campaign):
    def expect_time(self, run, seconds):
        """The program's word counts from the library's import on; the import itself may take its time elsewhere."""
        elapsed = float(re.search(r" exchanges in ([\d.]+) s", run.stdout).group(1))
        self.assertGreater(elapsed, seconds - 0.5)
        self.assertLess(elapsed, seconds + 2)
        self.assertGreater(run.took, elapsed)
        self.assertLess(run.took, elapsed + 10)

    def test_and_a_hang_at_the_end_is_a_finding(self):
        for jobs, what in ((1, "hang-against-signals"), (2, "hang")):
            with self.subTest(jobs=jobs):
                self.reset()
                run = self.fuzz(what, "--jobs", jobs, seconds=4)
                self.expect_found(run, "timeout", "TIMEOUT: an exchange had run for")
                self.expect_time(run, 4)

    def test_and_a_hang_ends_a_campaign_that_would_go_on(self):
        run = self.fuzz("hang", "--jobs", 2, "--timeout", 2, seconds=60)
        self.expect_found(run, "timeout", "TIMEOUT: one exchange took more than 2 s")
        self.assertLess(run.took, 20)

    def test_where_the_corpus_alone_takes_longer(self):
        run = self.fuzz("", "--jobs", 2, seconds=2, PAUSE="0.3")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.expect_time(run, 2)

    def test_and_the_rate_is_that_of_all_jobs_together(self):
        # Neither job can do more than 20 in a second, whatever the machine does besides.
        for jobs in (1, 2):
            with self.subTest(jobs=jobs):
                self.reset()
                run = self.fuzz("", "--jobs", jobs, seconds=3, PAUSE="0.05")
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                words = re.search(r"^(\d+) exchanges in ([\d.]+) s, (\d+) per second\nnothing found$", run.stdout)
                self.assertIsNotNone(words, run.stdout)
                exchanges, elapsed, rate = map(float, words.groups())
                self.assertAlmostEqual(rate, exchanges / elapsed, delta=1)
                self.assertLessEqual(rate, 20 * jobs + 1)
                self.assertGreater(rate, 20 * (jobs - 1) + 2)


class Interrupted(Campaign):
    def test_a_campaign_keeps_what_it_has(self):
        for jobs, number in ((1, signal.SIGINT), (2, signal.SIGTERM), (2, signal.SIGHUP)):
            with self.subTest(jobs=jobs, signal=number):
                self.reset()
                command = subprocess.Popen(self.command("--jobs", jobs, seconds=60), stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True, env=self.environment("hang"))
                self.wait_for(pathlib.Path(str(self.out) + ".once"))
                time.sleep(2.5)
                command.send_signal(number)
                out, words = command.communicate(timeout=20)
                self.assertEqual(command.returncode, 130, out + words)
                self.assertRegex(out, "found: TIMEOUT: an exchange had run for")
                self.assertEqual(len(self.kept()), 1)

    def wait_for(self, file):
        for _ in range(600):
            if file.exists():
                return
            time.sleep(0.05)
        self.fail(f"{file} did not come")


class BadInput(Campaign):
    def test_a_library_that_cannot_be_imported_is_no_finding(self):
        for jobs in (1, 2):
            with self.subTest(jobs=jobs):
                self.reset()
                run = self.fuzz("import", "--jobs", jobs)
                self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
                self.assertRegex(run.stderr, "(?m)^dlpack-cts: .*\n  hint: ")
                self.assertNotIn("\x1b", run.stderr)
                self.assertEqual(self.kept(), [])

    def test_gets_one_message(self):
        for options, what in ((["--seconds", "0"], "--seconds"), (["--seconds", "-3"], "--seconds"),
                              (["--jobs", "0"], "--jobs"), (["--jobs", "100000"], "--jobs: 100000 is not between 1 and 64"),
                              (["--memory", "none"], "--memory")):
            with self.subTest(options=options):
                run = self.fuzz("", *options)
                self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
                self.assertRegex(run.stderr, rf"^dlpack-cts: .*{what}.*\n  hint: ")
                self.assertEqual(run.stdout, "")

    def test_names_a_role_that_the_library_lacks(self):
        run = subprocess.run([PROGRAM, "fuzz", "export", "mine", "--adapter", str(self.folder)], text=True,
                             capture_output=True, check=False, timeout=60)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("the fuzz target export needs a producer, but mine does not have this role", run.stderr)


if __name__ == "__main__":
    built.main()
