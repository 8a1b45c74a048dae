# tests/runner/help_test.py: the help shows the default of each option, the exit statuses, and the tested versions.
import re
import unittest

import program

COMMANDS = ("run", "interop", "list", "explain", "mutants", "replay", "fuzz", "report", "history", "diff", "issue", "adapter", "env", "doctor")


def options_of(text):
    """Each option of a help with all of its text, in one line."""
    block = re.search(r"^Options:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)[1]
    return re.sub(r"\n {10,}", " ", block).splitlines()


class Help(unittest.TestCase):
    def help(self, *command):
        ran = program.run(*command, "--help")
        self.assertEqual((ran.status, ran.err), (0, ""), command)
        return ran.out

    def test_names_every_command(self):
        self.assertEqual(set(re.findall(r"^  ([a-z]+)  ", self.help(), re.MULTILINE)), set(COMMANDS))

    def test_of_every_option_says_the_default(self):
        for command in COMMANDS:
            for option in options_of(self.help(command)):
                if "--help" not in option:
                    self.assertRegex(option, r"; default: \S", command)

    def test_has_the_exit_statuses_once_and_one_example(self):
        for command in ((), *((command,) for command in COMMANDS)):
            text = self.help(*command)
            self.assertEqual(re.findall(r"^  ([0-9]+)  +\S", text, re.MULTILINE), ["0", "1", "2", "3", "130"], command)
            examples = re.findall(r"^Example:\n  (dlpack-cts \S+.*)$", text, re.MULTILINE)
            self.assertEqual(len(examples), 1, command)
            self.assertIn(f"dlpack-cts {''.join(command)}", examples[0])

    def test_fits_on_a_wide_terminal(self):
        for command in COMMANDS:
            self.assertLessEqual(max(map(len, self.help(command).splitlines())), 100, command)

    def test_fails_where_it_cannot_be_printed(self):
        with open("/dev/full", "w") as full:
            for arguments in (["--help"], ["run", "--help"], ["--version"]):
                self.assertEqual(program.subprocess.run([program.PROGRAM, *arguments], stdout=full, check=False,
                                                        stderr=program.subprocess.DEVNULL).returncode, 2)


class Version(unittest.TestCase):
    def test_names_the_versions_that_the_declared_structs_have(self):
        abi = (program.TESTS.parent / "harness" / "abi" / "dlpack.h").read_text()
        legacy, versioned = re.search(r"legacy \(([^)]+)\), versioned \(([^)]+)\)", abi).groups()
        ran = program.run("--version")
        self.assertEqual((ran.status, ran.err), (0, ""))
        self.assertRegex(ran.out, r"\Adlpack-cts [0-9.]+\n")
        self.assertIn(f"tests DLPack {legacy} (legacy struct) and {versioned} (versioned struct)\n", ran.out)


if __name__ == "__main__":
    unittest.main()
