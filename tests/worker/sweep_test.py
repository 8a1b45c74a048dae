# tests/worker/sweep_test.py: the sweep reports nothing about conforming libraries, and survives crashes.
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402
import shape_test  # noqa: E402

IMPORT = "whole/import/no-other-fact-deviates"
EXPORT = "whole/export/no-other-fact-deviates"
# What the toy behind the shapes really does: it reads behind the prefix of a foreign major, and its capsules release nothing.
TRUE = {"fault0"} | {f"export{slot}.has_destructor" for slot in range(4)}


def told(line):
    return [f"{d['fact']}: wanted {d['wanted']}, got {d['got']}, {d['recipe']}" for d in line.get("deviations", [])
            if d["fact"] not in TRUE]


class ASweep(unittest.TestCase):
    def test_notes_nothing_of_libraries_of_legal_shapes(self):
        with tempfile.TemporaryDirectory() as folder:
            # A release that is late is waited for in each exchange: thousands of them take minutes. Shapes that take few
            # extents or types refuse most random exchanges; shape_test.py has them.
            left = ("late", "pictures", "classes", "channels", "type_error_channels", "value_error_channels")
            shapes = {shape: said for shape, said in shape_test.SHAPES.items() if shape not in left}
            for shape, (claims, profile, _) in shapes.items():
                with self.subTest(shape):
                    # A library that narrows has to say so: a case may ask for a type that the probes would spare.
                    said = "narrows = true" if shape == "narrows" else profile
                    ran, results = shape_test.judge(shape, claims, said, folder, ["whole/*"], sweep=3000)
                    self.assertIn(ran.status, (0, 1), ran.err)
                    self.assertEqual([text for line in results.cases.values() for text in told(line)], [])
                    for case, line in results.cases.items():
                        self.assertGreater(line["examples"] - line["refused"] - line["nothing"], 300, case)

    def test_goes_on_without_the_exchange_that_killed_it(self):
        ran, results = program.judge("segfault", program.TOY, ["whole/*"])
        self.assertEqual(ran.status, 1, ran.err)
        line = results.cases[IMPORT]
        self.assertEqual((line["verdict"], line["message"]), ("CRASH", "terminated by SIGSEGV during import"))
        self.assertIn("recipe", line)
        self.assertGreater(line["held"], 0)
        self.assertEqual(told(results.cases[EXPORT]), [])

    def test_is_left_out_on_request_and_repeats_itself(self):
        lines = {}
        for sweep in (0, 300, 300):
            ran = program.run("run", "reference", "--select", "whole/*", "--sweep", sweep, "--format", "json")
            self.assertEqual(ran.status, 0, ran.err)
            line = program.Results(ran.out).cases[IMPORT]
            self.assertEqual(line["examples"], sweep)
            self.assertEqual(line["verdict"], "PASS" if sweep else "SKIP")
            told_before = lines.setdefault(sweep, (line["held"], line["nothing"]))
            self.assertEqual(told_before, (line["held"], line["nothing"]))


if __name__ == "__main__":
    unittest.main()
