# tests/campaign/finds_test.py: campaigns find defects with rare triggers, name each once, and accuse no conforming library.
"""Usage: DLPACK_CTS=path finds_test.py"""
import json
import unittest

from campaign import Campaign


class Finds(Campaign):
    def test_mutants_with_a_rare_trigger(self):
        for target, mutant, rule in (("import", "ignores-byte-offset-of-legacy-matrices", "C-DATA-0"),
                                     ("import", "releases-twice", "C-OWN-0"),
                                     ("import", "ignores-byte-offset-of-complex", "C-DATA-0"),
                                     ("import", "truncates-major", "C-VERSION-0"),
                                     ("import", "takes-bfloat16-for-float16", "C-(LAYOUT|DTYPE)-"),
                                     ("lifecycle", "deleter-leaks-legacy-views", "C-OWN-"),
                                     ("export", "deleter-leaks-legacy-views", "C-OWN-06"),
                                     ("export", "exports-base-pointer", "C-(DATA|STRIDES)-"),
                                     ("export", "exports-memory-of-legacy-that-dies", "C-(DATA|OWN)-1")):
            with self.subTest(target=target, mutant=mutant):
                self.out = self.folder / f"{target}-{mutant}"
                run = self.fuzz(target, "reference", mutant=mutant)
                self.expect(run, 1)
                self.assertRegex(run.stdout, rf"(?m)^found: (FAIL|UNSAFE|LEAK) {rule}")

    def test_a_crash_once_and_goes_on(self):
        run = self.fuzz("import", "reference", mutant="dereferences-null-strides", options=("--seconds", 8))
        self.expect(run, 1)
        self.assertEqual(self.count_new(run), 1)
        self.assertRegex(run.stdout, r"found: (CRASH|UNSAFE) C-STRIDES-")
        self.assertGreater(self.state()["legs"], 3)
        self.assertGreater(self.count(run)[0], 1_000)  # how fast it is belongs to bench/

    def test_what_replays_without_the_campaign(self):
        run = self.fuzz("import", "reference", mutant="ignores-strides")
        self.expect(run, 1)
        folder = next(folder for folder in self.findings() if "strided" in folder.name and "large" not in folder.name)
        self.assertIn(str(folder), run.stdout)
        record = json.loads((folder / "finding.json").read_text())
        self.assertEqual((record["verdict"], record["library"]), ("FAIL", "reference"))
        offer = record["recipe"]["offers"][0]
        self.assertLessEqual(offer["dims"], 2)
        report = (folder / "report.txt").read_text()
        self.assertIn("A new process shows it again.", report)
        self.assertIn("dlpack-cts replay", report)
        self.assertEqual(record.pop("mutant"), "ignores-strides")
        again = self.replay(folder / "finding.json")
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        (folder / "finding.json").write_text(json.dumps(record))
        again = self.replay(folder / "finding.json")
        self.assertEqual(again.returncode, 0, "the reference without the defect: " + again.stdout + again.stderr)

    def test_defects_of_the_exchange_table_and_of_lives(self):
        for target, mutant in (("exchange", "allocator-writes-beyond"), ("cases", "forgets-is-copied")):
            with self.subTest(target=target):
                self.out = self.folder / target
                self.expect(self.fuzz(target, "reference", mutant=mutant), 1)


class AccusesNobody(Campaign):
    def test_the_reference(self):
        for target in ("import", "export", "exchange", "lifecycle", "hostile"):
            with self.subTest(target=target):
                self.out = self.folder / target
                run = self.fuzz(target, "reference", options=("--runs", 4000))
                self.expect(run, 0)
                self.assertGreater(self.count(run, "conclusive")[0], 1000)
                self.assertEqual(self.findings(), [])

    def test_conforming_variants(self):
        for target, variant in (("import", "releases-on-collect"), ("import", "refusals-consume"),
                                ("import", "always-copies"), ("export", "always-copies")):
            with self.subTest(target=target, variant=variant):
                self.out = self.folder / f"{target}-{variant}"
                self.expect(self.fuzz(target, "reference", mutant=variant, options=("--runs", 4000)), 0)

    def test_what_the_expectations_list(self):
        listed = self.folder / "expectations.toml"
        cases = (('cause = "import/release/rank-1+empty"\nverdict = "LEAK"', "a cause"),
                 ('rule = "C-OWN-01"\nverdict = "LEAK"\nmessage = ""', "a rule"))
        for entry, what in cases:
            with self.subTest(what):
                self.out = self.folder / what
                listed.write_text(f'[[expect]]\n{entry}\nwhy = "a test"\n')
                run = self.fuzz("import", "reference", mutant="never-releases-empty",
                                options=("--runs", 5000, "--expectations", listed))
                self.expect(run, 0)
                self.assertRegex(run.stdout, r"causes: 1 LEAK, 1 of them listed, 0 new")

    def test_a_plug_in(self):
        run = self.fuzz("export", "reference-native", options=("--runs", 3000))
        self.expect(run, 0)
        self.assertGreater(self.count(run, "conclusive")[0], 500)

    def test_a_pair(self):
        run = self.fuzz("pair", "reference", "reference", options=("--runs", 1000))
        self.expect(run, 0)
        self.assertGreater(self.count(run, "conclusive")[0], 500)


if __name__ == "__main__":
    unittest.main()
