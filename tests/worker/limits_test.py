# tests/worker/limits_test.py: the time limit is of one example, however many a case has.
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

CASE = "c-abi/strides/null-means-row-major"


class ACaseOfManyExamples(unittest.TestCase):
    def test_may_take_longer_than_its_limit(self):
        ran = program.run("run", "reference", "--select", CASE, "--examples", 20000, "--timeout", 0.15, "--seed", 1,
                          "--format", "json")
        line = program.Results(ran.out).cases[CASE]
        self.assertEqual(line["verdict"], "PASS", line["message"])
        self.assertEqual(line["examples"], 20000)
        self.assertGreater(line["seconds"], 0.15)


if __name__ == "__main__":
    unittest.main()
