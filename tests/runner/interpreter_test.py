# tests/runner/interpreter_test.py: an interpreter that loads the worker gives the same results as a worker that loads a libpython.
import os
import pathlib
import stat
import tempfile
import unittest

import program

SELECT = ("--select", "c-abi/data/*", "python/from/*", "--examples", "20")
WITHOUT_LIBPYTHON = {"DLPACK_CTS_LIBPYTHON": "none"}


def verdicts(ran):
    results = program.Results(ran.out)
    return {case: result["verdict"] for case, result in results.cases.items()}


class Interpreter(unittest.TestCase):
    def compare(self, *arguments):
        embedded = program.run("run", *arguments, *SELECT, "--format", "json")
        loaded = program.run("run", *arguments, *SELECT, "--format", "json", environment=WITHOUT_LIBPYTHON)
        self.assertIn("PASS", set(verdicts(embedded).values()), embedded.err)
        self.assertEqual(verdicts(embedded), verdicts(loaded), loaded.err)
        self.assertEqual(embedded.status, loaded.status)

    def test_reference(self):
        self.compare("reference")

    def test_library(self):
        self.compare("--adapter", program.TOY)

    def test_library_that_each_child_imports(self):
        self.compare("--adapter", program.WITHOUT_FORK)

    def test_the_interpreter_of_the_caller_is_used(self):
        ran = program.run("run", "reference", *SELECT, environment={"DLPACK_CTS_PYTHON": "/nowhere/python"})
        self.assertEqual(ran.status, 2)
        self.assertEqual(ran.complaints(), ["dlpack-cts: there is no interpreter at /nowhere/python"])

    def test_other_implementations_are_refused_in_one_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder) / "python"
            for answer, complaint in (("3 10\\n\\n\\npypy\\n0", "is pypy, not CPython"),
                                      ("3 13\\n\\n\\ncpython\\n1", "is a free-threaded build, which dlpack-cts does not support"),
                                      ("3 7\\n\\n\\ncpython\\n0", "is CPython 3.7; dlpack-cts supports 3.8 and later")):
                python.write_text(f"#!/bin/sh\nprintf '{answer}\\n' >&3\n")
                python.chmod(python.stat().st_mode | stat.S_IXUSR)
                ran = program.run("run", "reference", "--python", python, *SELECT)
                self.assertEqual(ran.status, 2)
                self.assertEqual(ran.complaints(), [f"dlpack-cts: the interpreter {python} {complaint}"])


if __name__ == "__main__":
    os.environ.pop("DLPACK_CTS_PYTHON", None)
    unittest.main()
