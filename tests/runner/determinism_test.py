# tests/runner/determinism_test.py: with equal seeds two runs differ in times and addresses alone, however they are cut.
import copy
import pathlib
import re
import tempfile
import unittest

import program

SELECT = [word for chapter in ("c-abi/flags", "c-abi/data", "c-abi/own", "python/max-version")
          for word in ("--select", chapter + "/*")]
LIBRARIES = ("misbehaving", "misbehaving_without_fork")
ADAPTERS = ("--adapter", program.TOY, "--adapter", program.WITHOUT_FORK)
EXAMPLES = 10
ADDRESS = re.compile(r"0x[0-9a-f]{5,}|\b[0-9]{10,}\b|\b[0-9a-f]{9,}\b")


def without_addresses(value):
    if isinstance(value, str):
        return ADDRESS.sub("ADDRESS", value)
    if isinstance(value, list):
        return [without_addresses(item) for item in value]
    if isinstance(value, dict):
        return {key: without_addresses(item) for key, item in value.items()}
    return value


def comparable(line):
    """docs/results.md: only started, seconds, and addresses in got and ledger may differ; the command is the caller's."""
    line = {key: value for key, value in line.items() if key not in ("started", "seconds", "command")}
    for key in ("got", "ledger"):
        if key in line:
            line[key] = without_addresses(line[key])
    return line


class TwoRuns(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.once = cls().results(7, 1)

    def results(self, seed, jobs, misdeed=""):
        with tempfile.TemporaryDirectory() as folder:
            ran = program.run("run", *LIBRARIES, *ADAPTERS, "--seed", seed, "--examples", EXAMPLES, "-j", jobs, *SELECT,
                              "--format", "quiet", "--out", folder, environment={"MISDEED": misdeed})
            self.assertEqual(ran.complaints(), [])
            return {library: program.Results((pathlib.Path(folder) / library / "results.ndjson").read_text())
                    for library in LIBRARIES}

    def assert_same(self, one, other):
        for library in LIBRARIES:
            first, second = one[library], other[library]
            self.assertEqual(list(first.cases), list(second.cases), "the order of the cases differs")
            for case in first.cases:
                self.assertEqual(comparable(first.cases[case]), comparable(second.cases[case]))
            self.assertEqual(comparable(first.header), comparable(second.header))
            self.assertEqual(comparable(first.footer), comparable(second.footer))

    def test_with_one_seed_differ_only_in_times(self):
        self.assert_same(self.once, self.results(7, 1))
        self.assert_same(self.once, self.results(7, 2))
        self.assert_same(self.once, self.results(7, 5))

    def test_with_one_seed_shrink_a_death_to_the_same_recipe(self):
        once = self.results(7, 1, misdeed="segfault")
        crashed = [case for case, line in once["misbehaving"].cases.items() if line["verdict"] == "CRASH"]
        self.assertIn("c-abi/flags/unknown-flags-are-noticed", crashed)
        self.assert_same(once, self.results(7, 2, misdeed="segfault"))

    def test_with_two_seeds_give_other_seeds_to_the_cases(self):
        one, other = self.once, self.results(8, 2)
        seeds = [{case: line["seed"] for case, line in run["misbehaving"].cases.items()} for run in (one, other)]
        self.assertFalse([case for case in seeds[0] if seeds[0][case] == seeds[1][case]])

    def test_of_one_case_or_of_all_give_it_the_same_result(self):
        whole = self.once["misbehaving"]
        for case in ("c-abi/flags/unknown-flags-are-noticed", "c-abi/flags/copy-is-flagged"):
            ran = program.run("run", "misbehaving", *ADAPTERS, "--seed", 7, "--examples", EXAMPLES, "--select", case,
                              "--format", "json")
            alone = program.Results(ran.out).cases[case]
            differing = copy.deepcopy(comparable(whole.cases[case]))
            differing["reproducer"] = alone["reproducer"]  # is written below --out alone
            self.assertEqual(comparable(alone), differing)


if __name__ == "__main__":
    unittest.main()
