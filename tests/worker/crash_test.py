# tests/worker/crash_test.py: a library that crashes, hangs or damages the process fails that case only.
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

SELECT = ("c-abi/flags/*", "c-abi/version/*")
BAD = "c-abi/flags/unknown-flags-are-noticed"
CRASHES = {
    "segfault": "terminated by SIGSEGV during import",
    "abort": "terminated by SIGABRT during import",
    "throw": "std::terminate was called during import",
    "exit_from_c": "exited with status 3 during import",
    "exit_well": "exited with status 0 during import",
    "kill_itself": "terminated by SIGKILL during import",
    "leave_a_child": "exited with status 4 during import",
    "handle_signals": "terminated by SIGSEGV during import",
    "close_descriptors": "closed a file descriptor of the test program",
    "deleter:segfault": "terminated by SIGSEGV during drop-array",
    "deleter:exit_well": "exited with status 0 during drop-array",
    "collect:abort": "terminated by SIGABRT during import",
    "execute": "exited with status 0 during import",
    "raise_exit": "raised SystemExit, which ends the program instead of refusing the exchange",
    "stop_under_trace": "made itself traced by ptrace and stopped during import",
    "scribble": "overwrote memory of the test program",
    "scribble_head": "overwrote memory of the test program",
    "scribble_index": "overwrote memory of the test program",
    "scribble_huge_index": "overwrote memory of the test program",
    "scribble_and_die": "overwrote memory of the test program",
    "lower_limits": "changed process-wide state: it lowered the limit RLIMIT_AS",
    "arm_timer": "changed process-wide state: it armed the timer ITIMER_REAL",
    "round_up": "changed process-wide state: it changed the floating-point rounding mode",
}
# The crash record holds nothing that could be minimised, or not a single exchange is the reason.
NOT_SHRUNK = ("close_descriptors", "scribble", "scribble_and_die", "lower_limits", "arm_timer", "round_up")
HARMLESS = ("print_much", "write_everywhere", "fork_and_return", "leave_folder", "block_signals", "import:lower_limits",
            "import:arm_timer", "import:leave_folder", "import:round_up", "import:trap_numbers", "import:block_signals")


class ALibraryThatMisbehaves(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.usual = program.judge(select=SELECT)[1]

    def check(self, misdeed, verdict, message, adapter=program.TOY, shrunk=True, **options):
        with self.subTest(misdeed, adapter=os.path.basename(adapter)):
            ran, results = program.judge(misdeed, adapter, SELECT, **options)
            self.assertEqual(ran.status, 1, ran.err)
            self.assertEqual(ran.complaints(), [])
            self.assertFalse(results.footer["interrupted"])
            self.assertEqual(list(results.cases), list(self.usual.cases))
            for case, line in results.cases.items():
                usual = self.usual.cases[case]
                if case != BAD:
                    self.assertEqual((case, line["verdict"], line["message"]),
                                     (case, usual["verdict"], usual["message"]))
            bad = results.cases[BAD]
            self.assertEqual((bad["verdict"], bad["message"]), (verdict, message))
            if shrunk:
                self.assert_small(bad["recipe"])
            return bad

    def assert_small(self, recipe):
        offer = recipe["offers"][0]
        self.assertGreater(offer["flags"], 7)
        self.assertEqual(offer["flags"].bit_count(), 1)
        self.assertLessEqual(offer.get("ndim", 0), 1)

    def test_costs_its_case_alone_when_it_dies(self):
        for misdeed, message in CRASHES.items():
            self.check(misdeed, "CRASH", message, shrunk=misdeed not in NOT_SHRUNK)

    def test_does_not_pass_for_a_polite_refusal(self):
        mistakes = {"misname": "NameError", "break_the_contract": "SystemError", "mistype": "AttributeError",
                    "mistype_of_what_was_given": "AttributeError", "complain_of_none": "AttributeError",
                    "complain_without_reason": "AttributeError", "complain_of_nothing": "AttributeError",
                    "fail_internally": "RuntimeError"}
        for misdeed, name in mistakes.items():
            bad = program.judge(misdeed, select=SELECT)[1].cases[BAD]  # of a rule whose breach counts NOTE
            self.assertEqual((bad["verdict"], bad["message"]),
                             ("NOTE", f"raised {name}, which looks like a bug rather than a refusal"))
            self.assertTrue(bad["got"].startswith(name), bad["got"])

    def test_refuses_politely_what_lacks_an_attribute(self):
        for deed in ("ask_for_what_it_lacks", "ask_its_type_for_what_it_lacks", "complain_of_what_it_lacks"):
            with self.subTest(deed):
                _, results = program.judge(deed, select=SELECT)
                self.assertEqual(results.cases[BAD]["verdict"], "PASS")

    def test_is_not_blamed_for_a_name_that_the_adapter_misspells(self):
        _, results = program.judge("misname_in_the_adapter", select=SELECT)
        self.assertEqual(results.cases[BAD]["verdict"], "PASS")

    def test_says_what_the_examples_before_its_death_showed(self):
        _, results = program.judge("with_offset:segfault", select=("c-abi/data/no-access-outside-the-elements",))
        bad = results.lines[0]
        self.assertEqual((bad["verdict"], bad["ended"]), ("CRASH", "SIGSEGV"))
        self.assertGreater(bad["examples"], 1)
        self.assertEqual(bad["held"] + bad["refused"] + bad["nothing"], bad["examples"] - 1)

    def test_costs_its_case_alone_when_what_it_did_cannot_be_undone(self):
        # A process that may raise a hard limit again gets the shorter message.
        what = "changed process-wide state: it lowered the limit RLIMIT_NOFILE"
        _, results = program.judge("lower_hard_limits", select=SELECT)
        for case, line in results.cases.items():
            usual = self.usual.cases[case]
            if case != BAD:
                self.assertEqual((case, line["verdict"], line["message"]), (case, usual["verdict"], usual["message"]))
        self.assertIn(results.cases[BAD]["message"], (what, what + ", which cannot be raised again"))

    def test_costs_its_case_alone_when_it_hangs(self):
        for misdeed in ("hang", "hang_deaf", "stop_itself", "deleter:hang"):
            during = "drop-array" if misdeed.startswith("deleter") else "import"
            self.check(misdeed, "TIMEOUT", f"did not end within its time limit during {during}", shrunk=False,
                       timeout=0.5)

    def test_costs_its_case_alone_when_it_eats_memory(self):
        self.check("eat_memory", "CRASH", "exceeded the memory limit of 300 MB during import", shrunk=False, timeout=20,
                   more=("--memory", 300))

    def test_costs_its_case_alone_when_it_kills_the_whole_worker(self):
        self.check("kill_its_parent", "CRASH", "the worker was terminated by SIGKILL", shrunk=False)
        self.check("kill_its_group", "CRASH", "the worker was terminated by SIGTERM", shrunk=False)

    def test_costs_its_case_alone_in_a_process_that_may_not_fork(self):
        for misdeed in ("segfault", "exit_well", "leave_a_child", "close_descriptors"):
            self.check(misdeed, "CRASH", CRASHES[misdeed], program.WITHOUT_FORK, shrunk=misdeed not in NOT_SHRUNK)
        self.check("kill_its_group", "CRASH", "the worker was terminated by SIGTERM", program.WITHOUT_FORK,
                   shrunk=False)

    def test_meets_its_limits_in_a_process_that_may_not_fork(self):
        self.check("hang_deaf", "TIMEOUT", "did not end within its time limit during import", program.WITHOUT_FORK, shrunk=False,
                   timeout=0.5)
        self.check("eat_memory", "CRASH", "exceeded the memory limit of 300 MB during import", program.WITHOUT_FORK, shrunk=False,
                   timeout=20, more=("--memory", 300))

    def test_keeps_its_breach_when_a_smaller_one_kills(self):
        for adapter in (program.TOY, program.WITHOUT_FORK):
            bad = self.check("leak_then_die", "LEAK", "all objects were dropped and collected, but the deleter was never called",
                             adapter, shrunk=False)
            self.assertGreater(bad["recipe"]["offers"][0]["flags"], 7)

    def test_may_be_slow_in_all_its_examples_in_a_process_that_may_not_fork(self):
        ran, results = program.judge("dawdle", program.WITHOUT_FORK, (BAD,), timeout=1)
        self.assertEqual(results.cases[BAD]["verdict"], self.usual.cases[BAD]["verdict"], ran.err)
        self.assertGreater(results.cases[BAD]["seconds"], 2.5)

    def test_is_judged_without_what_its_probe_did_not_survive(self):
        for adapter in (program.TOY, program.WITHOUT_FORK):
            with self.subTest(os.path.basename(adapter)):
                ran, results = program.judge("in_a_probe", adapter, ("c-abi/flags/*", "c-abi/strides/*"))
                self.assertEqual(ran.complaints(), [])
                crashed = [case for case, line in results.cases.items() if line["verdict"] == "CRASH"]
                self.assertEqual(crashed, ["c-abi/strides/strides-of-a-scalar-are-not-read"])
                self.assertEqual(results.cases[BAD]["verdict"], self.usual.cases[BAD]["verdict"])

    def test_is_judged_as_usual_where_it_harms_nobody(self):
        for misdeed in HARMLESS:
            with self.subTest(misdeed):
                ran, results = program.judge(misdeed, select=SELECT)
                self.assertEqual(ran.complaints(), [])
                self.assertEqual([(line["case"], line["verdict"]) for line in results.lines],
                                 [(line["case"], line["verdict"]) for line in self.usual.lines])

    def test_is_judged_as_usual_where_its_container_forbids_to_reach_into_processes(self):
        select = ("c-abi/data/*",)
        usual, forbidden = (program.judge(deed, select=select)[1] for deed in ("", "import:forbid_foreign_memory"))
        self.assertEqual([(line["case"], line["verdict"], line["message"]) for line in forbidden.lines],
                         [(line["case"], line["verdict"], line["message"]) for line in usual.lines])

    def test_is_not_green_when_it_raises_only_exits(self):
        ran, results = program.judge("always:raise_exit", select=SELECT)
        self.assertEqual(ran.status, 1, ran.err)
        imports = [line for line in results.lines if line["role"] == "consumer"]
        self.assertTrue(imports)
        self.assertIn(("CRASH", CRASHES["raise_exit"]), [(line["verdict"], line["message"]) for line in imports])
        for line in imports:
            if "does not claim" not in line["message"]:
                self.assertIn(line["verdict"], ("CRASH", "BLOCKED"), line["case"])
                self.assertIn(line["cause"], [cause["id"] for cause in results.causes if cause["verdict"] == "CRASH"])

    def test_that_survives_no_plain_exchange_meets_every_case(self):
        for adapter in (program.TOY, program.WITHOUT_FORK):
            with self.subTest(os.path.basename(adapter)):
                ran, results = program.judge("always:segfault", adapter, ("c-abi/version/*", "c-abi/flags/*"))
                self.assertEqual(ran.complaints(), [])
                imports = {line["case"]: line["verdict"] for line in results.lines
                           if line["role"] == "consumer" and "does not claim" not in line["message"]}
                self.assertEqual(set(imports.values()), {"CRASH", "BLOCKED"}, imports)
                crash = [cause for cause in results.causes if cause["verdict"] == "CRASH" and len(cause["cases"]) > 1]
                self.assertEqual(len(crash), 1, results.causes)
                self.assertEqual(set(imports) - set(crash[0]["cases"]), set())

    def test_ends_with_results_when_no_child_of_it_lives(self):
        ran, results = program.judge("fork:segfault", select=SELECT)
        self.assertEqual(ran.status, 1, ran.err)
        self.assertEqual(list(results.cases), list(self.usual.cases))
        for line in results.lines:
            self.assertEqual((line["verdict"], line["message"]),
                             ("CRASH", "terminated by SIGSEGV before it ran a case"))

    def test_ends_with_results_when_its_release_dies(self):
        ran, results = program.judge("release:segfault", select=SELECT)
        self.assertEqual(ran.status, 1, ran.err)
        self.assertEqual(list(results.cases), list(self.usual.cases))
        self.assertIn("CRASH", [line["verdict"] for line in results.lines])

    def test_may_take_its_limit_for_every_example(self):
        ran, results = program.judge("dawdle", select=(BAD,), timeout=1)
        self.assertEqual(results.cases[BAD]["verdict"], self.usual.cases[BAD]["verdict"], ran.err)
        self.assertGreater(results.cases[BAD]["seconds"], 1)

    def test_is_not_judged_when_its_import_kills(self):
        for misdeed, how in {"import:segfault": "was terminated by SIGSEGV", "import:exit_well": "exited with status 0",
                             "import:exit_from_c": "exited with status 3",
                             "import:close_descriptors": "exited with status 3"}.items():
            with self.subTest(misdeed):
                ran, results = program.judge(misdeed, select=SELECT)
                self.assertIsNone(results)
                self.assertEqual(ran.status, 2, ran.err)
                self.assertEqual(ran.complaints(), [f"dlpack-cts: misbehaving {how} while it was imported"])
                self.assertEqual(len(ran.hints()), 1)


if __name__ == "__main__":
    unittest.main()
