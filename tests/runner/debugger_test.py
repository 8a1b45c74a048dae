# tests/runner/debugger_test.py: replay --debugger runs the exchange of a finding once, in the process that a debugger starts.
import pathlib
import tempfile
import unittest

import program


class Debugger(unittest.TestCase):
    def finding(self, folder, misdeed):
        out = pathlib.Path(folder)
        program.judge(misdeed, select=["c-abi/flags/unknown-*"], more=("--out", out))
        return next(iter(sorted((out / "findings").glob("*.json"))))

    def replay(self, finding, misdeed, debugger, **environment):
        return program.run("replay", finding, "--debugger", debugger, environment={"MISDEED": misdeed, **environment})

    def test_starts_the_worker_with_a_crash_of_a_python_library(self):
        for variables in ({}, {"DLPACK_CTS_LIBPYTHON": "none"}):
            with tempfile.TemporaryDirectory() as folder, self.subTest(variables):
                finding = self.finding(folder, "segfault")
                crashed = self.replay(finding, "segfault", "env SEEN=1", **variables)
                self.assertEqual(crashed.status, 128 + 11, crashed.err)
                self.assertIn("dlpack-cts: exchange: ", crashed.out)
                self.assertIn("dlpack-cts: env SEEN=1 ", crashed.err)
                held = self.replay(finding, "", "env", **variables)
                self.assertEqual(held.status, 0, held.err)
                self.assertIn("  import: step import on slot 0\n", held.out)
                self.assertTrue(held.out.endswith("dlpack-cts: the exchange has ended\n"), held.out)

    def test_that_cannot_be_started_is_one_message(self):
        with tempfile.TemporaryDirectory() as folder:
            ran = self.replay(self.finding(folder, "segfault"), "", "no-such-debugger")
            self.assertEqual(ran.status, 2)
            self.assertIn("dlpack-cts: the debugger no-such-debugger cannot be started\n", ran.err)

    def test_needs_one_finding(self):
        with tempfile.TemporaryDirectory() as folder:
            finding = self.finding(folder, "segfault")
            ran = program.run("replay", finding, finding, "--debugger", "gdb --args")
            self.assertEqual(ran.status, 2)
            self.assertIn("--debugger needs exactly one finding", ran.err)


if __name__ == "__main__":
    unittest.main()
