# tests/runner/bad_input_test.py: every mistake of a user gets one clear message, one hint and the right exit status.
import json
import os
import pathlib
import shutil
import tempfile
import unittest

import program

TOY = ("run", "misbehaving", "--adapter", program.TOY)
QUICK = (*TOY, "--seed", 1, "--examples", 3, "--select", "c-abi/flags/*")
GOOD_LIBRARY = 'name = "mine"\nkind = "python"\nroles = ["consumer"]\n'
TOY_SOURCE = (program.TESTS / "python" / "toy_adapter" / "adapter.py").read_text()


class Complaints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def complains(self, arguments, about, hint="", status=2, **options):
        """One complaint, one hint, no trace of ours."""
        ran = program.run(*arguments, **options)
        with self.subTest(" ".join(map(str, arguments)), err=ran.err[-2000:]):
            self.assertEqual(ran.status, status)
            complaints = [line for line in ran.complaints() if "making an environment" not in line]
            self.assertEqual(len(complaints), 1)
            self.assertIn(about, complaints[0])
            self.assertEqual(len(ran.hints()), 1)
            self.assertIn(hint, ran.hints()[0])
            self.assertLess(len(complaints[0]), 400)
            for word in ("nlohmann", "json.exception", "std::", "terminate", ".cc:", "fault of dlpack-cts"):
                self.assertNotIn(word, ran.err)
        return ran

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text) if isinstance(text, bytes) else file.write_text(text)
        return file


class TheCommandLine(Complaints):
    def test_names_the_commands(self):
        self.complains([], "a command is missing", "run, interop, list")
        self.complains(["rnu"], "there is no command rnu", "did you mean run?")
        self.complains(["frobnicate"], "there is no command frobnicate", "run, interop, list")
        self.complains(["--bogus"], "--bogus", "--help")

    def test_names_the_command_whose_argument_is_wrong(self):
        self.complains(["run", "--bogus"], "run: The following argument was not expected: --bogus", "run --help")
        self.complains(["run", "--seed", "abc"], "--seed")
        self.complains(["run", "--seed", "-1"], "--seed")
        self.complains(["run", "--seed"], "--seed")
        for option in ("--examples", "--timeout", "--memory", "-j"):
            for value in ("0", "-3", "x", "1e400", "nan", ""):
                self.complains(["run", option, value], option.lstrip("-"))
        self.complains(["run", "--format", "xml"], "xml", "run --help")
        self.complains(["run", "--role", "owner"], "owner")
        self.complains(["run", "--level", "high"], "high")
        self.complains(["list"], "list: WHAT is required", "list --help")
        self.complains(["explain"], "ID is required")
        self.complains(["report"], "RESULTS is required")
        self.complains(["replay"], "FILE is required")
        self.complains(["env", "create"], "LIBRARY is required")
        self.complains(["fuzz"], "is required", "fuzz --help")
        self.complains(["mutants", "all"], "all", "mutants --help")

    def test_knows_its_lists_verbs_and_targets(self):
        self.complains(["list", "rule"], "there is no list of rule", "rules, cases, libraries and mutants")
        self.complains(["env", "remove", "numpy"], "env has no verb remove", "create and path")
        self.complains(["env", "path", "reference-native"], "native")
        self.complains(["fuzz", "outport", "numpy"], "there is no fuzz target outport", "import")

    def test_suggests_the_nearest_name(self):
        self.complains(["run", "nmupy"], "no adapter for the library nmupy", "did you mean numpy?")
        self.complains(["run", "zzzzzzzz"], "no adapter for the library zzzzzzzz", "known are numpy")
        self.complains(["interop", "reference", "refrence"], "no adapter for the library refrence", "reference")
        self.complains(["explain", "C-STRIDE-01"], "no rule and no case C-STRIDE-01", "C-STRIDES-01")
        self.complains(["explain", "zzzzzzzz"], "no rule and no case zzzzzzzz", "list rules")
        self.complains([*TOY, "--select", "c-abi/flags/unknown-flag-is-noticed"], "no case matches",
                       "c-abi/flags/unknown-flags-are-noticed")
        self.complains([*TOY, "--select", "zzzzzzzz"], 'no case matches "zzzzzzzz"', "list cases")
        self.complains([*TOY, "--select", "c-abi/flags/*", "--select", ""], 'no case matches ""')

    def test_says_when_nothing_is_left_to_run(self):
        self.complains([*TOY, "--select", "c-abi/flags/unknown-flags-are-noticed", "--role", "producer"],
                       "no case is left to run", "--role")
        self.complains(["interop", "reference"], "at least two libraries", "interop numpy torch")

    def test_takes_a_version_only_where_one_can_be_chosen(self):
        self.complains(["run", "numpy=="], "numpy== names no version", "numpy==")
        self.complains(["run", "misbehaving==9", "--adapter", program.TOY], "pins no package", "--python")


class AnEnvironment(Complaints):
    def test_is_a_folder_or_an_interpreter(self):
        for path in ("/nowhere", self.folder):
            self.complains([*QUICK, "--python", path], "there is no interpreter at", "bin/python")
        file = self.write("text", "no program")
        file.chmod(0o755)
        for path in (file, "/bin/sh", "/bin/true", "no-such-program"):
            self.complains([*QUICK, "--python", path], "is no Python interpreter that runs", "bin/python")

    def test_has_the_library(self):
        self.write("library.toml", GOOD_LIBRARY)
        self.write("adapter.py", "import dlpack_cts_no_such_library\n")
        self.complains(["run", "mine", "--adapter", self.folder],
                       "could not be imported: ModuleNotFoundError: No module named 'dlpack_cts_no_such_library'",
                       "install the library into the environment")

    def test_has_the_version_that_was_asked_for(self):
        self.write("library.toml", GOOD_LIBRARY + 'requirements = ["mine==1.0"]\n')
        self.write("adapter.py", TOY_SOURCE)
        ran = self.complains(["run", "mine==3.1", "--adapter", self.folder, "--python", "python3"],
                             "the environment holds mine 1.0, not 3.1", "==3.1")
        self.assertEqual(ran.out, "")

    def test_is_kept_where_somebody_may_write(self):
        self.write("library.toml", GOOD_LIBRARY + 'requirements = ["mine==1.0"]\n')
        self.write("adapter.py", TOY_SOURCE)
        self.complains(["run", "mine", "--adapter", self.folder], "/proc/nowhere", "DLPACK_CTS_CACHE",
                       environment={"DLPACK_CTS_CACHE": "/proc/nowhere"})
        self.complains(["run", "mine", "--adapter", self.folder], "no folder can be made in /proc", "TMPDIR",
                       environment={"TMPDIR": "/proc", "DLPACK_CTS_CACHE": str(self.folder)},
                       ) if False else None

    def test_needs_a_folder_for_temporary_files(self):
        self.complains(QUICK, "/nowhere", "TMPDIR", environment={"TMPDIR": "/nowhere"})
        self.complains(QUICK, "/proc", "TMPDIR", environment={"TMPDIR": "/proc"})


if __name__ == "__main__":
    unittest.main()
