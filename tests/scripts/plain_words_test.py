# tests/scripts/plain_words_test.py: scripts/plain_words.py finds avoided words in every kind of text, and only there.
#
# Usage: plain_words_test.py SOURCE_ROOT
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


class PlainWords(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        for name in ("plain_words.py", "plain_words.toml"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts" / name)
        # The exceptions of the real tree are not needed here, and that would be reported.
        self.rules = self.root / "scripts/plain_words.toml"
        text = self.rules.read_text()
        self.rules.write_text(text[: text.index("[[exception]]")] + "[not_rewritten]\ncomments = []\n")
        self.git("init", "-q")

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.root, check=True)

    def check(self, **files):
        """Exit status and output of the check, with these files in the tree. __ in a name stands for the dot. ~ is removed from
        a text: this file may not contain the words either."""
        for name, text in files.items():
            (self.root / name.replace("__", ".")).write_text(text.replace("~", ""))
        self.git("add", "-A")
        ran = subprocess.run([sys.executable, "scripts/plain_words.py"], cwd=self.root, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    def rule(self, text):
        self.rules.write_text(text.replace("~", "") + self.rules.read_text())

    def test_plain_text_passes(self):
        self.assertEqual(self.check(a__md="There is no cause. It is no longer used. `x is None` is Python.\n"), (0, ""))

    def test_finds_each_phrase(self):
        for phrase in ("it was t~old", "it s~tands behind another", "it h~ands on the capsule", "n~obody frees it", "the stride i~s none",
                       "this i~s no list", "a cause h~as not its rule", "w~hat kills the process", "w~ho refuses it",
                       "w~ho copies the tensor"):
            status, output = self.check(a__md=f"A line.\nWe say that {phrase} here.\n")
            self.assertEqual(status, 1, phrase)
            self.assertIn("a.md:2: ", output)

    def test_finds_a_phrase_across_two_lines(self):
        self.assertEqual(self.check(a__md="It stan~ds\nbehind another.\n")[0], 1)

    def test_reads_comments_and_literals_of_cxx(self):
        status, output = self.check(a__cc='int t~old = 0;\n// n~obody reads\nconst char* b = "this is "\n                "no list";\nauto c = R"(x t~old)";\n')
        self.assertEqual(status, 1)
        self.assertEqual([line.split(": ")[0] for line in output.splitlines()], ["a.cc:2", "a.cc:3", "a.cc:5"])

    def test_reads_comments_and_literals_of_python(self):
        status, output = self.check(a__py='t~old = 1\n# n~obody reads\nprint("this i~s no list")\n')
        self.assertEqual(status, 1)
        self.assertEqual([line.split(": ")[0] for line in output.splitlines()], ["a.py:2", "a.py:3"])

    def test_a_file_that_is_not_rewritten_may_have_hits_in_comments_alone(self):
        self.rules.write_text(self.rules.read_text().replace("comments = []", 'comments = ["a.cc"]'))
        self.assertEqual(self.check(a__cc="// n~obody reads\n"), (0, ""))
        self.assertEqual(self.check(a__cc='// n~obody reads\nauto a = "t~old";\n')[0], 1)
        status, output = self.check(a__cc="// plain\n")
        self.assertEqual(status, 1)
        self.assertIn("not_rewritten names a.cc", output)

    def test_an_exception_counts_where_the_name_is_quoted(self):
        self.rule('[[exception]]\nname = "gil-of-n~obody"\nwhy = "an id"\n')
        self.assertEqual(self.check(a__md="The mutant `gil-of-n~obody`.\n", a__cc='auto a = "gil-of-n~obody";\n'), (0, ""))
        self.assertEqual(self.check(a__md="The gil-of-n~obody.\n")[0], 1)

    def test_an_exception_that_is_not_needed_is_reported(self):
        self.rule('[[exception]]\nname = "t~old-id"\nwhy = "an id"\n')
        status, output = self.check(a__md="Plain.\n")
        self.assertEqual(status, 1)
        self.assertIn('the exception "to' + 'ld-id" is not needed', output)

    def test_eleven_exceptions_are_too_many(self):
        self.rule("".join(f'[[exception]]\nname = "t~old-{i}"\nwhy = "an id"\n' for i in range(11)))
        status, output = self.check(a__md="Plain.\n")
        self.assertEqual(status, 2)
        self.assertIn("has 11 exceptions, and may have 10", output)

    def test_rules_that_cannot_be_read_are_reported(self):
        self.rules.write_text("[[avoid]]\npattern = '('\nwrite = 'x'\n")
        status, output = self.check()
        self.assertEqual(status, 2)
        self.assertIn("plain_words.toml cannot be read", output)
        self.assertIn("hint: ", output)


class FirstScreen(unittest.TestCase):
    """The first 20 lines of the README answer what a new user asks."""

    def test_of_the_readme_answers_the_four_questions(self):
        lines = "\n".join((ROOT / "README.md").read_text().splitlines()[:20])
        self.assertRegex(lines, r"(does not conform|conforms) to DLPack", "does the library conform?")
        self.assertRegex(lines, r"\n +worst +(FAIL|WARN|CRASH|UNSAFE|LEAK|TIMEOUT): \w", "what failed?")
        self.assertRegex(lines, r"\n +rule +[A-Z]+(-[A-Z]+)+-\d+: \w", "which rule?")
        self.assertRegex(lines, r"\n +(run )?next +\w", "what to do next?")


class Glossary(unittest.TestCase):
    def test_has_at_most_26_words(self):
        rows = [line for line in (ROOT / "docs/glossary.md").read_text().splitlines() if line.startswith("| ")]
        self.assertLessEqual(len(rows) - 1, 26)
        words = [row.split("|")[1].strip() for row in rows[1:]]
        self.assertEqual(words, sorted(words))


if __name__ == "__main__":
    unittest.main()
