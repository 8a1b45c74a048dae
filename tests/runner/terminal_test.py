# tests/runner/terminal_test.py: colours and folded lines on a terminal, but not in a pipe.
import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest

import program

QUICK = ("run", "misbehaving", "--adapter", program.TOY, "--examples", "3", "--select", "c-abi/flags/*")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*arguments, out=True, err=True, columns=100, environment=None):
    """Status, what the terminal got, and what a pipe got; each stream goes to the terminal unless its argument is False."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    variables = {**os.environ, "TERM": "xterm", **(environment or {})}
    for name in ("NO_COLOR", "COLUMNS"):
        if name not in (environment or {}):
            variables.pop(name, None)
    with tempfile.TemporaryFile() as pipe:
        process = subprocess.Popen([program.PROGRAM, *map(str, arguments)], env=variables, stdin=theirs,
                                   stdout=theirs if out else pipe, stderr=theirs if err else pipe)
        os.close(theirs)
        seen = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            seen += more
        process.wait(60)
        os.close(ours)
        pipe.seek(0)
        return process.returncode, seen.decode().replace("\r\n", "\n"), pipe.read().decode()


class Colours(unittest.TestCase):
    def test_are_for_terminals(self):
        self.assertRegex(on_terminal(*QUICK, err=False)[1], ESCAPE)
        for arguments, environment in ((("--color", "never"), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})):
            seen = on_terminal(*QUICK, *arguments, err=False, environment=environment)[1]
            self.assertNotRegex(seen, ESCAPE, (arguments, environment))
        self.assertRegex(on_terminal(*QUICK, err=False, environment={"NO_COLOR": ""})[1], ESCAPE)
        self.assertRegex(on_terminal(*QUICK, "--color", "always", err=False, environment={"NO_COLOR": "1"})[1], ESCAPE)

    def test_go_into_a_pipe_only_when_asked_for(self):
        plain, coloured = program.run(*QUICK).out, program.run(*QUICK, "--color", "always").out
        self.assertNotIn("\x1b", plain)
        self.assertRegex(coloured, ESCAPE)
        timeless = re.compile("^Run .*$", re.MULTILINE)
        self.assertEqual(timeless.sub("", ESCAPE.sub("", coloured)), timeless.sub("", plain))
        self.assertNotIn("\x1b", program.run(*QUICK, "--color", "auto", environment={"TERM": "xterm"}).out)

    def test_never_go_into_json(self):
        self.assertNotIn("\x1b", program.run(*QUICK, "--format", "json", "--color", "always").out)

    def test_tell_unexpected_results_from_expected_ones(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write('[[expect]]\ncase = "c-abi/flags/copy-is-flagged"\nverdict = "FAIL"\nmessage = "an export with copy=True"\nwhy = "w"\n')
            file.flush()
            listed = program.run(*QUICK, "--verbose", "--color", "always", "--expectations", file.name)
        news = program.run(*QUICK, "--verbose", "--color", "always")
        self.assertEqual((listed.status, news.status), (0, 1), listed.out)
        look = [re.search(r"(\S*)FAIL\S* +c-abi/flags/copy-is-flagged", ran.out)[1] for ran in (listed, news)]
        self.assertNotEqual(look[0], look[1])

    def test_are_the_same_for_a_report(self):
        with tempfile.TemporaryDirectory() as out:
            program.run(*QUICK, "--out", out)
            self.assertRegex(program.run("report", out + "/results.ndjson", "--color", "always").out, ESCAPE)
            self.assertNotIn("\x1b", program.run("report", out + "/results.ndjson").out)


def screen(seen):
    """The final content of the terminal, line by line."""
    lines, column = [""], 0
    for character in ESCAPE.sub("", seen):
        if character == "\n":
            lines.append("")
            column = 0
        elif character == "\r":
            column = 0
        else:
            lines[-1] = lines[-1][:column] + character + lines[-1][column + 1:]
            column += 1
    return [line.rstrip() for line in lines]


class Progress(unittest.TestCase):
    STATUS = re.compile(r"\r([0-9]+)/([0-9]+)  ([0-9]+) s  misbehaving  (c-abi/flags/[a-z-]+)")

    def hanging(self, **options):
        return on_terminal(*QUICK, "--timeout", "2", "-j", "1", environment={"MISDEED": "hang"}, **options)

    def test_names_library_case_and_time_while_a_case_hangs(self):
        _, seen, out = self.hanging(out=False)
        told = [found.groups() for found in self.STATUS.finditer(seen) if found[4].endswith("unknown-flags-are-noticed")]
        self.assertGreaterEqual(len({seconds for _, _, seconds, _ in told}), 2, seen)
        self.assertEqual(len({done for done, *_ in told}), 1)
        self.assertEqual(int(told[0][1]), len(program.Results(program.run(*QUICK, "--format", "json").out).lines))
        self.assertNotIn("\r", out)
        self.assertIn("Summary", out)
        self.assertEqual(screen(seen), ["dlpack-cts: seed 1", ""])

    def test_is_gone_when_the_results_come_to_the_same_terminal(self):
        seen = screen(self.hanging(columns=200)[1])
        self.assertEqual(seen[0], "dlpack-cts: seed 1")
        self.assertRegex(seen[1], "^misbehaving 1.0 ")
        self.assertNotRegex("\n".join(seen), "[0-9]+/[0-9]+  [0-9]+ s")

    def test_stays_in_one_line_of_a_narrow_terminal(self):
        seen = self.hanging(out=False, columns=40)[1]
        rows = [row for part in seen.split("\n") for row in part.split("\r")]
        self.assertGreater(len(rows), 5)
        self.assertLess(max(map(len, rows)), 40)

    def test_is_not_in_a_pipe(self):
        status, seen, err = on_terminal(*QUICK, err=False)
        self.assertEqual((status, err), (1, "dlpack-cts: seed 1\n"))
        self.assertNotIn("\r", seen)
        self.assertNotIn("\r", program.run(*QUICK).err)

    def test_does_not_mix_with_what_is_told(self):
        seen = on_terminal("run", "misbehaving", "reference", "--adapter", program.TOY, "--select", "c-abi/flags/*",
                           environment={"MISDEED": "import:segfault"}, out=False, columns=200)[1]
        lines = screen(seen)
        self.assertTrue(any(line.startswith("dlpack-cts: misbehaving ") for line in lines), seen)
        self.assertNotRegex("\n".join(lines), "[0-9]+/[0-9]+  [0-9]+ s")


class Lines(unittest.TestCase):
    def longest(self, seen):
        return max(len(line) for line in ESCAPE.sub("", seen).splitlines()
                   if not re.match(" +(replay|reproduce|run next|link:) ", line))

    def test_are_folded_to_the_width_of_the_terminal(self):
        for columns, environment, width in ((72, {}, 72), (200, {"COLUMNS": "72"}, 72), (72, {"COLUMNS": "x"}, 72)):
            seen = on_terminal(*QUICK, err=False, columns=columns, environment=environment)[1]
            self.assertLessEqual(self.longest(seen), width)
        self.assertGreater(self.longest(on_terminal(*QUICK, err=False, columns=300)[1]), 80)

    def test_of_a_list_and_of_a_rule_are_folded_too(self):
        for arguments in (("explain", "C-STRIDES-03"), ("list", "mutants")):
            _, seen, _ = on_terminal(*arguments, columns=90)
            self.assertLessEqual(self.longest(seen), 90)
            piped = program.run(*arguments).out
            self.assertGreater(self.longest(piped), 90)
            self.assertEqual(seen.split(), piped.split())

    def test_stay_whole_in_a_pipe(self):
        self.assertGreater(self.longest(program.run(*QUICK, environment={"COLUMNS": "40"}).out), 80)


if __name__ == "__main__":
    unittest.main()
