# tests/runner/protocol_test.py: each case gets one result line, whatever a worker, or a library through its descriptor, sends.
import resource
import unittest

import program
from fake_worker import FakeWorker

RUN = ("run", "reference-native", "--select", "c-abi/flags/*", "--format", "json", "-j", 1)
LOST = "its result is missing or could not be read"
ALL = """
hello()
for case in cases:
    line(**observation(case))
bye()
"""


class ARun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cases = program.run("list", "cases", "--json").out
        cls.cases = [case["case"] for case in __import__("json").loads(cases) if case["case"].startswith("c-abi/flags/")]

    def judge(self, deed, *more, status, **options):
        self.fake = FakeWorker(self, deed)
        ran = self.fake.run(*(RUN + more), **options)
        self.assertEqual(ran.status, status, ran.err)
        self.assertNotIn("bug in dlpack-cts", ran.err)
        results = program.Results(ran.out)
        self.assertEqual(list(results.cases), self.cases)
        self.assertFalse(results.footer["interrupted"])
        return ran, results

    def verdicts(self, results):
        return [line["verdict"] for line in results.lines]

    def assert_passes(self, deed, **options):
        ran, results = self.judge(deed, status=0, **options)
        self.assertEqual(self.verdicts(results), ["PASS"] * len(self.cases))
        self.assertEqual(ran.complaints(), [])
        return results

    def assert_crashes(self, deed, index, message, *more, got=None):
        ran, results = self.judge(deed, *more, status=1)
        self.assertEqual(ran.complaints(), [])
        bad = results.lines[index]
        self.assertEqual((bad["verdict"], bad["message"]), ("CRASH", message))
        self.assertEqual({line["verdict"] for line in results.lines if line is not bad}, {"PASS"})
        if got is not None:
            self.assertIn(got, bad["got"])

    def test_whose_worker_says_all_is_judged_by_that(self):
        self.assert_passes(ALL)

    def test_names_the_case_whose_line_does_not_come(self):
        self.assert_crashes("hello()\nfor case in cases[:4] + cases[5:]: line(**observation(case))\nbye()\n", 4, LOST)

    def test_believes_the_first_of_two_lines(self):
        self.assert_passes(ALL.replace("bye()", """
for case in cases:
    line(**observation(case, observed="leak"))
bye()"""))

    def test_drops_what_was_not_asked_for(self):
        self.assert_passes(ALL.replace("bye()", """
for case in ("c-abi/strides/null-means-row-major", "no/such", "", "../../x"):
    line(**observation(case, observed="leak"))
line(**observation(cases[0], mutant="other"))
bye()"""))

    def test_believes_no_line_that_lacks_the_mark(self):
        self.assert_passes("""
hello()
for case in cases:
    forged = json.dumps(observation(case, observed="unsafe")).encode()
    raw(b"\\n" + forged + b'\\n{"type":"bye"}\\n' + options["--mark"].encode()[:-3] + forged + b"\\n")
    line(**observation(case))
bye()
""")

    def test_loses_no_line_to_garbage(self):
        for garbage in ("b'garbage'", "b'{\"type\":\"observation\",\"case\":\"'", "b'\\n\\n'", "b'\\0\\xff' * 40000",
                        "options['--mark'].encode()", "options['--mark'].encode() + b'{}\\n[]\\n'"):
            with self.subTest(garbage):
                self.assert_passes(f"""
hello()
for case in cases:
    raw({garbage})
    line(**observation(case))
raw({garbage})
bye()
raw({garbage})
""")

    def test_keeps_no_garbage_in_memory(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20))

        self.assert_passes("hello()\nfor i in range(600): raw(b'x' * (1 << 20))\n" + ALL, preexec_fn=limit)

    def test_costs_a_wrong_line_its_case_alone(self):
        wrong = {
            'line(**observation(case, seconds="long"))': 'field "seconds"',
            "line(**observation(case, colour=1))": 'field "colour"',
            "line(**observation(case, rule=...))": 'field "rule"',
            "line(**observation(case, ledger=3))": 'field "ledger"',
            "line(**observation(case, observed='fine'))": 'field "observed"',
            "line(**observation([case]))": LOST,
            "line(type=[1], case=case)": LOST,
            "marked(b'{')": LOST,
            "marked(b'[' * 200000)": LOST,
            "marked(b'{\"type\":\"observation\",\"case\":\"' + case.encode() + b'\",\"ledger\":' + b'[' * 200000 +"
            " b']' * 200000 + b'}')": LOST,
        }
        for mistake, got in wrong.items():
            with self.subTest(mistake):
                self.assert_crashes(f"""
hello()
for case in cases:
    if case == cases[2]:
        {mistake}
    else:
        line(**observation(case))
bye()
""", 2, LOST, got=got)

    def test_tells_of_a_fault_of_the_harness_and_keeps_the_results(self):
        for change in ("observed='breach', rule='X-1'", "observed='unjudged'"):
            ran, results = FakeWorker(self, ALL.replace("observation(case)", f"observation(case, **(dict({change})"
                                                        " if case == cases[1] else {}))")), None
            ran = ran.run(*RUN)
            self.assertEqual((ran.status, len(ran.complaints())), (3, 1), ran.err)
            results = program.Results(ran.out)
            self.assertEqual(self.verdicts(results), ["PASS", "CRASH"] + ["PASS"] * (len(self.cases) - 2))

    def test_ends_though_no_worker_comes_to_a_case(self):
        ran, results = self.judge("hello()\nos.kill(os.getpid(), signal.SIGFPE)\n", status=1)
        self.assertEqual(ran.complaints(), [])
        for line in results.lines:
            self.assertEqual((line["verdict"], line["message"]),
                             ("CRASH", "could not run: the worker was terminated by SIGFPE before its first case"))
        self.assertLess(self.fake.started(), 10)

    def test_ends_though_the_second_import_dies(self):
        ran, results = self.judge("""
if begun > 1:
    os.abort()
hello()
for case in cases[:2]:
    line(**observation(case))
os.kill(os.getpid(), signal.SIGKILL)
""", status=1)
        self.assertEqual(self.verdicts(results), ["PASS"] * 2 + ["CRASH"] * (len(self.cases) - 2))
        self.assertEqual(results.lines[2]["message"], "the worker was terminated by SIGKILL")
        self.assertEqual(results.lines[-1]["message"],
                         "could not run: the worker was terminated by SIGABRT while it imported the library again")

    def test_goes_on_behind_each_case_that_kills_the_worker(self):
        _, results = self.judge("""
hello()
line(**observation(cases[0]))
if len(cases) > 1:
    os._exit(7)
bye()
""", status=1)
        self.assertEqual(self.verdicts(results), [("PASS", "CRASH")[i % 2] for i in range(len(self.cases))])

    def test_ends_though_what_the_worker_left_behind_holds_and_fills_the_pipe(self):
        self.assert_crashes("""
hello()
for case in cases[:3]:
    line(**observation(case))
if begun == 1:
    if os.fork() == 0:
        os.setsid()
        until = time.time() + 20
        while time.time() < until:
            raw(b"x" * 4096)
        os._exit(0)
    time.sleep(0.3)
    os._exit(5)
for case in cases[3:]:
    line(**observation(case))
bye()
""", 3, "the worker exited with status 5")

    def test_ends_though_the_worker_closes_its_descriptor_and_stays(self):
        fake = FakeWorker(self, """
hello()
line(**observation(cases[0]))
if begun == 1:
    os.close(out)
    time.sleep(3600)
for case in cases[1:]:
    line(**observation(case))
bye()
""")
        # The worker gets its time limit, and half a minute to send a line.
        ran = fake.run(*RUN, "--timeout", 0.2, seconds=60)
        self.assertEqual(ran.status, 1, ran.err)
        results = program.Results(ran.out)
        self.assertEqual(list(results.cases), self.cases)
        self.assertEqual(self.verdicts(results).count("PASS"), len(self.cases) - 1)

    def test_keeps_but_the_end_of_what_the_library_prints(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20))

        fake = FakeWorker(self, "for i in range(600): os.write(1, b'y' * (1 << 20))\nos.write(2, b'last words')\n")
        ran = fake.run(*RUN, preexec_fn=limit)
        self.assertEqual(ran.status, 2, ran.err[-300:])
        self.assertIn("last words", ran.err)
        self.assertLess(len(ran.err), 4000)


if __name__ == "__main__":
    unittest.main()
