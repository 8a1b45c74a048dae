# tests/runner/interruption_test.py: an interrupted run still reports its results, and leaves nothing behind.
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import program
from fake_worker import FakeWorker

SELECT = ("--select", "c-abi/flags/*", "--select", "c-abi/strides/*")
QUICK = ("run", "misbehaving", "--adapter", program.TOY, "--seed", "1", "--examples", "3", "-j", "1", *SELECT)


def workers(tag):
    """Processes whose environment carries that tag: the driver, and all that it started."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if tag in (folder / "environ").read_bytes() and b"\0State:\tZ" not in (folder / "status").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def wait_for(condition, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


class ARun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tag = f"DLPACK_CTS_TEST={os.getpid()}-{self.id()}"

    def start(self, *arguments, misdeed=""):
        """The toy hangs in the case about unknown flags, after others have given their results."""
        name, value = self.tag.split("=")
        (self.folder / "tmp").mkdir(exist_ok=True)
        variables = {**os.environ, "MISDEED": misdeed, name: value, "TMPDIR": str(self.folder / "tmp")}
        process = subprocess.Popen([program.PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=variables)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def hanging(self, *more):
        process = self.start(*QUICK, "--timeout", "100", *more, misdeed="hang")
        # In the case that hangs: the snapshot's child is there, and sleeps.
        self.assertTrue(wait_for(self.hangs), "the toy does not hang")
        return process

    def hangs(self):
        boards = list((self.folder / "tmp").glob("dlpack-cts-*/board"))
        return bool(boards) and b"unknown-flags-are-noticed" in boards[0].read_bytes()[64:264]

    def assert_gone(self):
        self.assertTrue(wait_for(lambda: not workers(self.tag.encode())), workers(self.tag.encode()))

    def test_that_is_interrupted_reports_what_was_done(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                out = self.folder / "out"
                process = self.hanging("--format", "json", "--out", str(out))
                process.send_signal(number)
                text, errors = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 130, errors)
                results = program.Results(text)
                self.assertTrue(results.footer["interrupted"])
                self.assertGreater(len(results.lines), 0)
                self.assertNotIn("c-abi/flags/unknown-flags-are-noticed", results.cases)
                self.assertEqual((out / "results.ndjson").read_text(), text)
                for name in ("junit.xml", "report.md", "index.html"):
                    self.assertTrue((out / name).exists(), name)
                self.assertEqual([line for line in errors.splitlines() if "hint" in line], [])
                self.assert_gone()
                self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_that_gets_several_signals_at_once_reports_what_was_done(self):
        out = self.folder / "out"
        process = self.hanging("--format", "json", "--out", str(out))
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            process.send_signal(number)
            time.sleep(0.002)  # two equal signals that are pending are one
        text, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, errors)
        self.assertTrue(program.Results(text).footer["interrupted"])
        self.assertEqual((out / "results.ndjson").read_text(), text)
        self.assert_gone()

    def test_whose_worker_gets_the_signal_first_blames_no_case(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                process = self.hanging("--format", "json")
                started = [pid for pid in workers(self.tag.encode()) if pid != process.pid]
                self.assertGreater(len(started), 1)
                for pid in sorted(started, reverse=True):
                    os.kill(pid, number)
                time.sleep(0.1)
                process.send_signal(number)
                text, errors = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 130, errors)
                self.assertNotIn("c-abi/flags/unknown-flags-are-noticed", program.Results(text).cases)
                self.assert_gone()

    def test_whose_reader_does_not_read_is_interrupted_too(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "out"
                process = subprocess.Popen([program.PROGRAM, "run", "reference-native", "--format", "json", "--examples",
                                            "5", "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                self.addCleanup(process.stdout.close)
                self.addCleanup(process.kill)
                self.assertTrue(wait_for(lambda: (out / "index.html").exists(), 60))
                time.sleep(0.5)  # the pipe is full
                self.assertIsNone(process.poll(), "all of it fits into a pipe")
                process.send_signal(number)
                self.assertEqual(process.wait(10), 130)
                self.assertTrue(program.Results((out / "results.ndjson").read_text()).lines)

    def test_that_is_interrupted_twice_ends_at_once(self):
        # What renders reproducers is seen through, and this one takes its time.
        fake = FakeWorker(self, """
hello()
for case in cases:
    line(**observation(case, observed="crash", degree="rule", message="died", recipe={"format": 2, "kind": "import"}))
bye()
""", question="if '--reproducers' in sys.argv: time.sleep(3600)")
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            name, value = self.tag.split("=")
            process = subprocess.Popen([fake.program, *QUICK, "--out", str(out)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env={**os.environ, name: value})
            self.addCleanup(process.kill)
            self.assertTrue(wait_for(lambda: list(out.glob("findings/*.json"))))
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            time.sleep(0.7)  # later than what counts as one interrupt
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(5), 130)
            self.assert_gone()
            self.assertGreater(len(self.provisional(out)), 10)

    def provisional(self, out):
        """The results of a run that did not end, each line of which says so."""
        header, *lines = program.lines_of((out / "results.ndjson").read_text())
        self.assertEqual([header["type"]] + [line["type"] for line in lines], ["header"] + ["result"] * len(lines))
        self.assertEqual({line["provisional"] for line in (header, *lines)}, {True})
        return lines

    def test_that_is_killed_loses_only_the_running_case(self):
        out, again = self.folder / "out", self.folder / "again"
        process = self.hanging("--out", str(out))
        process.kill()
        process.communicate()
        cases = [line["case"] for line in self.provisional(out)]
        every = list(program.Results(program.run(*QUICK, "--format", "json").out).cases)
        self.assertEqual(cases, every[:every.index("c-abi/flags/unknown-flags-are-noticed")])
        ran = program.run("report", out / "results.ndjson", "--out", again)
        self.assertEqual((ran.status, ran.complaints()), (1, []), ran.err)
        self.assertIn("The run did not end, and its verdicts are provisional, so this result is incomplete.", ran.out)
        self.assertIn("The run did not end", (again / "report.md").read_text())
        self.assertEqual((again / "results.ndjson").read_text(), (out / "results.ndjson").read_text())

    def test_that_is_killed_keeps_the_results_of_the_run_before(self):
        out = self.folder / "out"
        program.run(*QUICK, "--out", out)
        text = (out / "results.ndjson").read_text()
        process = self.start(*QUICK, "--out", str(out), misdeed="import:hang")
        self.assertTrue(wait_for(lambda: list((self.folder / "tmp").glob("dlpack-cts-*/board"))))
        time.sleep(0.2)
        process.kill()
        process.communicate()
        self.assertEqual((out / "results.ndjson").read_text(), text)
        shutil.rmtree(self.folder / "tmp")
        for _ in range(2):  # the second run finds a provisional file
            process = self.hanging("--out", str(out))
            process.kill()
            process.communicate()
            shutil.rmtree(self.folder / "tmp")
            self.provisional(out)
            self.assertEqual((out / "results.previous.ndjson").read_text(), text)
        program.run(*QUICK, "--out", out)
        self.assertFalse(any("provisional" in line for line in program.lines_of((out / "results.ndjson").read_text())))
        self.assertFalse((out / "results.previous.ndjson").exists())

    def test_of_pairs_that_is_killed_keeps_its_results(self):
        out = self.folder / "out"
        process = self.start("interop", "reference", "reference", "--examples", "20000", "--out", str(out))
        self.assertTrue(wait_for(lambda: list(out.glob("*/results.ndjson"))))
        process.kill()
        process.communicate()
        lines = self.provisional(out / "reference-to-reference")
        self.assertEqual({(line["producer"], line["consumer"]) for line in lines}, {("reference", "reference")})
        ran = program.run("report", out / "reference-to-reference" / "results.ndjson")
        self.assertEqual((ran.status, ran.complaints()), (2, []), ran.err)
        self.assertIn("The run did not end", ran.out)

    def test_that_is_interrupted_says_so_to_people(self):
        process = self.hanging()
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=20)
        self.assertIn("interrupted", text.lower())

    def test_that_is_interrupted_starts_no_other_library(self):
        second = self.folder / "second"
        second.mkdir()
        (second / "library.toml").write_text('name = "second"\nkind = "python"\nroles = ["consumer"]\n')
        (second / "adapter.py").write_text(f"open({str(self.folder / 'seen')!r}, 'w')\n")
        process = self.hanging("second", "--adapter", str(second))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertFalse((self.folder / "seen").exists())

    def test_of_pairs_or_mutants_is_interrupted_too(self):
        for arguments, complaints in ((("mutants",), 1), (("interop", "reference", "reference", "--examples", "100000"), 0)):
            with self.subTest(arguments), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                process = self.start(*arguments)
                self.assertTrue(wait_for(lambda: list((self.folder / "tmp").glob("dlpack-cts-*/board"))))
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 130, errors)
                self.assertEqual(errors.count("hint"), complaints, errors)
                self.assert_gone()
                self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_of_pairs_goes_on_after_one_that_cannot_be_judged(self):
        ran = program.run("interop", "reference", "misbehaving", "--adapter", program.TOY, "--format", "json",
                          environment={"MISDEED": "import:segfault"})
        self.assertEqual(ran.status, 2, ran.err)
        self.assertEqual(len(ran.complaints()), 3, ran.err)
        self.assertEqual(len(ran.hints()), 3)
        judged = program.Results(ran.out)
        self.assertEqual({(line["producer"], line["consumer"]) for line in judged.lines}, {("reference", "reference")})

    def test_of_several_libraries_goes_on_after_one_that_cannot_be_judged(self):
        for jobs in (1, 2):
            ran = program.run("run", "misbehaving", "reference", "--adapter", program.TOY, "-j", jobs, *SELECT,
                              "--format", "json", environment={"MISDEED": "import:segfault"})
            self.assertEqual((ran.status, len(ran.complaints())), (2, 1), ran.err)
            self.assertEqual(program.Results(ran.out).header["library"], "reference")

    def test_that_is_killed_leaves_no_worker(self):
        process = self.hanging()
        self.assertGreater(len(workers(self.tag.encode())), 2)
        process.kill()
        process.communicate()
        self.assert_gone()

    def test_removes_folders_of_killed_runs_and_no_others(self):
        killed = self.hanging()
        killed.kill()
        killed.communicate()
        self.assert_gone()
        left = list((self.folder / "tmp").iterdir())
        self.assertEqual(len(left), 1)
        foreign = self.folder / "tmp" / "dlpack-cts-work-of-mine"
        foreign.mkdir()
        (foreign / "mine").touch()
        old = self.folder / "tmp" / "dlpack-cts-abcdef"
        old.mkdir()
        running = self.start(*QUICK, "--timeout", "100", misdeed="hang")
        self.assertTrue(wait_for(lambda: not left[0].exists()))
        self.assertTrue(wait_for(self.hangs), "the toy does not hang")
        own = {path for path in (self.folder / "tmp").iterdir()} - {foreign, old}
        later = program.run(*QUICK, environment={"TMPDIR": str(self.folder / "tmp")})
        self.assertIn("Summary", later.out)
        self.assertEqual(set((self.folder / "tmp").iterdir()), own | {foreign, old})
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=20)
        self.assertEqual(set((self.folder / "tmp").iterdir()), {foreign, old})

    def test_whose_reader_leaves_early_ends_as_usual(self):
        usual = program.run(*QUICK)
        for arguments, status in ((QUICK, usual.status), ((*QUICK, "--format", "json"), usual.status),
                                  (("list", "rules"), 0), (("list", "rules", "--json"), 0),
                                  (("explain", "C-STRIDES-01"), 0)):
            with self.subTest(arguments):
                reading, writing = os.pipe()
                os.close(reading)
                process = subprocess.run([program.PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE,
                                         text=True, timeout=60, check=False)
                os.close(writing)
                self.assertEqual((process.returncode, "hint" in process.stderr), (status, False), process.stderr)

    def test_without_standard_streams_ends_as_usual(self):
        usual = program.run(*QUICK)
        ran = subprocess.run(["sh", "-c", '"$0" "$@" <&- >&- 2>&-', program.PROGRAM, *QUICK, "--out",
                              str(self.folder / "out")], timeout=60, check=False)
        self.assertEqual(ran.returncode, usual.status)
        self.assertGreater(len(program.Results((self.folder / "out" / "results.ndjson").read_text()).lines), 10)


class AFileThatNeverComes(unittest.TestCase):
    def test_is_given_up_without_a_complaint(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            for command in ("report", "replay"):
                process = subprocess.Popen([program.PROGRAM, command, fifo], stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.kill)
                end = os.open(fifo, os.O_WRONLY)  # waits until it reads
                time.sleep(0.1)
                process.send_signal(signal.SIGINT)
                time.sleep(0.1)
                os.close(end)
                out, err = process.communicate(timeout=20)
                self.assertEqual((process.returncode, out, err), (130, "", ""), command)


class AFullDisk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "out"

    def check(self, ran, about):
        self.assertEqual(ran.status, 2, ran.err)
        self.assertEqual(len(ran.complaints()), 1, ran.err)
        self.assertIn(about, ran.complaints()[0])
        self.assertEqual(len(ran.hints()), 1, ran.err)

    def test_of_standard_output_is_told(self):
        for arguments in (QUICK, (*QUICK, "--format", "json"), ("list", "rules"), ("explain", "C-STRIDES-01")):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                process = subprocess.run([program.PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                         timeout=60, check=False)
                self.check(program.Ran(process), "standard output cannot be written: No space left on device")

    def test_or_a_folder_in_the_place_of_a_report_costs_no_result_in_the_terminal(self):
        for name in ("results.ndjson", "junit.xml", "report.md", "index.html"):
            with self.subTest(name):
                out = self.out / name.replace(".", "-")
                (out / name).mkdir(parents=True)
                ran = program.run(*QUICK, "--out", out)
                self.check(ran, "Is a directory")
                self.assertIn(name, ran.err)
                self.assertIn("Summary", ran.out)
                written = {file.name for file in out.iterdir()}
                self.assertGreaterEqual(written, {"results.ndjson", "junit.xml", "report.md", "index.html"})

    def test_or_a_folder_in_the_place_of_a_finding_costs_no_result_in_the_terminal(self):
        (self.out / "findings" / "c-abi.flags.copy-is-flagged.json").mkdir(parents=True)
        ran = program.run(*QUICK, "--out", self.out)
        self.check(ran, "copy-is-flagged.json")
        self.assertIn("Summary", ran.out)
        self.assertTrue((self.out / "results.ndjson").exists())

    def test_by_a_limit_of_file_size_does_not_kill(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

        # The job of a chapter has some 9 kB, a crash record 65 kB, and the results of a chapter more than 100 kB.
        for kilobytes, about in {0: "cannot be written", 1: "job", 24: "crash record", 96: "results.ndjson"}.items():
            LIMIT = kilobytes << 10
            with self.subTest(kilobytes):
                ran = program.run(*QUICK, "--select", "c-abi/*", "--out", self.out, preexec_fn=limit)
                self.check(ran, about)
                self.assertEqual("Summary" in ran.out, kilobytes > 24)
        ran = program.run("report", self.out / "results.ndjson")
        self.assertEqual((ran.status, ran.complaints()), (1, []), ran.err)
        self.assertIn("The run did not end", ran.out)

    def test_before_the_run_is_told_before_the_run(self):
        ran = program.run(*QUICK, "--out", "/proc/nowhere")
        self.check(ran, "the folder /proc/nowhere cannot be written")
        self.assertEqual(ran.out, "")
        self.out.write_text("a file")
        self.check(program.run(*QUICK, "--out", self.out), "cannot be written: Not a directory")
        self.assertEqual(self.out.read_text(), "a file")

    def test_is_not_left_by_a_run_that_could_not_begin(self):
        ran = program.run(*QUICK, "--out", self.out, "--python", "/nowhere")
        self.check(ran, "no interpreter")
        self.assertEqual(list(self.out.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
