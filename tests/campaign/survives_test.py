# tests/campaign/survives_test.py: a campaign goes on whatever the library does, ends in time, and continues after a kill.
"""Usage: DLPACK_CTS=path survives_test.py"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

from campaign import Campaign

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402
from interruption_test import workers  # noqa: E402

# Refuses every tensor, and at the 1500th of a process does what MISBEHAVIOUR says, the first time only.
ADAPTER = '''
import ctypes, os, signal, time
WHAT = os.environ.get("MISBEHAVIOUR", "")
count = 0
hoard = []
if WHAT == "import":
    raise ImportError("no such \\x1b[2J library")


def version():
    return "1.0"


def first():
    try:
        os.close(os.open(os.environ["ONCE"], os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def from_dlpack(obj, **kw):
    global count
    count += 1
    if count == 1500 and WHAT and first():
        misbehave()
    raise BufferError("no")


def misbehave():
    if WHAT == "hang":
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


class OfMine(Campaign):
    def setUp(self):
        super().setUp()
        (self.folder / "adapter.py").write_text(ADAPTER)
        (self.folder / "library.toml").write_text(LIBRARY)

    def mine(self, what, *options):
        more = ("--adapter", self.folder, "--python", sys.executable, *options)
        return self.fuzz("import", "mine", options=more, MISBEHAVIOUR=what, ONCE=str(self.out) + ".once")


class GoesOn(OfMine):
    def test_after_any_end_of_the_process(self):
        for what, verdict in (("crash", "CRASH|UNSAFE"), ("abort", "CRASH"), ("leave", "CRASH"), ("exit", "CRASH"),
                              ("kill-the-group", "CRASH"), ("grow", "CRASH")):
            with self.subTest(what=what):
                self.out = self.folder / what
                run = self.mine(what, "--seconds", 5, "--memory", 512)
                self.expect(run, 1)
                self.assertRegex(run.stdout, rf"(?m)^found: ({verdict}) ")
                self.assertGreater(self.state()["legs"], 1)

    def test_after_a_hang(self):
        run = self.mine("hang", "--seconds", 12, "--timeout", 2)
        self.expect(run, 1)
        self.assertRegex(run.stdout, r"(?m)^found: TIMEOUT ")
        self.assertGreater(self.state()["legs"], 1)

    def test_with_several_jobs(self):
        run = self.mine("abort", "--seconds", 5, "--jobs", 3)
        self.expect(run, 1)
        self.assertEqual(self.count_new(run), 1)

    def test_and_leaves_no_process_that_the_library_started(self):
        tag = f"DLPACK_CTS_TEST={os.getpid()}-{self.id()}"
        name, value = tag.split("=")
        left = self.folder / "left"
        run = self.fuzz("import", "misbehaving", options=("--adapter", program.TOY, "--seconds", 2),
                        **{name: value, "MISDEED": "always:leave_processes", "LEFT": str(left)})
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        self.assertTrue(left.stat().st_size)
        self.assertEqual(workers(tag.encode()), [])


class Ends(Campaign):
    def test_in_time(self):
        began = time.monotonic()
        run = self.fuzz("import", "reference", options=("--seconds", 4, "--jobs", 2))
        self.expect(run, 0)
        elapsed = float(re.search(r"exchanges in ([\d.]+) s", run.stdout).group(1))
        self.assertGreater(elapsed, 3)
        self.assertLess(elapsed, 14)
        self.assertLess(time.monotonic() - began, elapsed + 10)

    def test_after_a_number_of_exchanges(self):
        run = self.fuzz("import", "reference", options=("--runs", 5000))
        self.expect(run, 0)
        self.assertEqual(self.count(run)[0], 5000)

    def test_at_a_signal_with_its_table(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                self.out = self.folder / str(number)
                command = subprocess.Popen(self.command("import", "reference", options=("--seconds", 60)),
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment())
                self.wait_for(self.out / "campaign.json")
                command.send_signal(number)
                out, words = command.communicate(timeout=30)
                self.assertEqual(command.returncode, 130, out + words)
                self.assertRegex(out, r"\n\d+ exchanges in [\d.]+ s\n$")


class ASignalToAllProcesses(Campaign):
    """As a container or a service manager sends it: to the driver and to its workers, in any order."""

    def check(self, number, driver_first, *libraries):
        self.out = self.folder / f"{number}-{driver_first}"
        tag = f"DLPACK_CTS_TEST={os.getpid()}-{self.out}"
        name, value = tag.split("=")
        campaign = subprocess.Popen(self.command(*libraries, options=("--seconds", 60, "--jobs", 2)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env=self.environment(**{name: value}))
        self.addCleanup(campaign.kill)
        self.wait_for(self.out / "campaign.json")
        started = [pid for pid in workers(tag.encode()) if pid != campaign.pid]
        self.assertGreater(len(started), 1)
        for pid in [campaign.pid, *started] if driver_first else [*sorted(started, reverse=True), campaign.pid]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass  # it ran one case only, or its guard has killed it
        out, words = campaign.communicate(timeout=60)
        self.assertEqual(campaign.returncode, 130, out + words)
        self.assertNotIn("found:", out)
        self.assertRegex(out, r"(?m)^causes: 0 of them listed, 0 new$")
        self.assertEqual((self.findings(), self.state()["book"]["causes"]), ([], []))
        self.assertEqual(workers(tag.encode()), [])

    def test_is_no_crash(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for driver_first in (True, False):
                with self.subTest(signal=number, driver_first=driver_first):
                    self.check(number, driver_first, "cases", "reference")


class Continues(Campaign):
    def test_with_what_it_knows(self):
        first = self.fuzz("import", "reference", mutant="releases-twice", options=("--runs", 4000, "--seed", 7))
        self.expect(first, 1)
        again = self.fuzz("import", "reference", mutant="releases-twice", options=("--runs", 4000))
        self.expect(again, 0)
        self.assertIn("continues the campaign", again.stderr)
        self.assertRegex(again.stdout, r"(?m)^  known: UNSAFE C-OWN-07: ")
        self.assertIn("seed 7", again.stdout)
        self.assertEqual(self.count(again)[1], self.count(first)[0] + self.count(again)[0])
        self.assertEqual(len(self.findings()), self.count_new(first))
        exchanges = [int(row["exchanges"]) for row in self.stats()]
        self.assertEqual(exchanges, sorted(exchanges))
        self.assertEqual(exchanges[-1], self.count(again)[1])
        seconds = [float(row["cpu_seconds"]) for row in self.stats()]
        self.assertEqual(seconds, sorted(seconds))
        self.assertEqual(seconds[-1], self.cpu_seconds(again)[1])
        self.assertAlmostEqual(self.cpu_seconds(again)[1], sum(self.cpu_seconds(run)[0] for run in (first, again)), delta=0.11)
        page = (self.out / "index.html").read_text(encoding="utf-8")
        self.assertIn(f"{self.count(again)[1]} exchanges in ", page)
        self.assertEqual(page.count("<polyline"), 2)
        self.assertIn('href="findings/', page)

    def test_after_it_was_killed(self):
        command = subprocess.Popen(self.command("import", "reference", options=("--seconds", 60)), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment("releases-twice"))
        self.wait_for(self.out / "campaign.json")
        command.kill()
        command.wait()
        before = self.state()
        self.assertEqual(before["book"]["causes"][0]["rule"], "C-OWN-07")
        run = self.fuzz("import", "reference", mutant="releases-twice", options=("--runs", 3000))
        self.expect(run, 0)
        self.assertGreaterEqual(self.state()["exchanges"], before["exchanges"] + 2900)


if __name__ == "__main__":
    unittest.main()
