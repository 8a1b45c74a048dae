# tests/scripts/release_test.py: a release is prepared in a copy of the tree, and an id that disappears after it is reported.
"""Usage: release_test.py SOURCE_ROOT PROGRAM"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, PROGRAM = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
NEXT = "7.8.9"


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for name in ("scripts", "docs", "examples/ci", "results", ".github/workflows"):
            shutil.copytree(ROOT / name, self.tree / name)
        for name in ("CMakeLists.txt", "pyproject.toml"):
            shutil.copy(ROOT / name, self.tree)
        (self.tree / "results/released.json").unlink(missing_ok=True)
        self.changelog = self.tree / "CHANGELOG.md"
        self.changelog.write_text(f"# Changelog\n\nText. Version {NEXT} is not released yet.\n\n## [Unreleased]\n\n- A change.\n\n"
                                  "## [7.8.8] - 2020-01-01\n\n- Older.\n", encoding="utf-8")

    def release(self, *arguments):
        return subprocess.run([sys.executable, "-B", self.tree / "scripts/release.py", *arguments], capture_output=True, text=True,
                              check=False)

    def prepare(self):
        done = self.release(NEXT, PROGRAM)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def assert_refused(self, done, sentence):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(sentence, done.stderr.splitlines()[0])
        self.assertTrue(done.stderr.splitlines()[1].startswith("  hint: "), done.stderr)

    def test_every_file_names_the_version_of_a_release(self):
        self.prepare()
        self.assertEqual(self.release("--check", PROGRAM).stdout, "")
        self.assertIn(f'version = "{NEXT}"', (self.tree / "pyproject.toml").read_text(encoding="utf-8"))
        self.assertIn(f"dlpack-cts@v{NEXT}", (self.tree / "examples/ci/library.yml").read_text(encoding="utf-8"))

    def test_the_changelog_has_a_section_for_it_and_an_empty_one(self):
        self.prepare()
        text = self.changelog.read_text(encoding="utf-8")
        self.assertRegex(text, rf"## \[Unreleased\]\n\n## \[{NEXT}\] - \d{{4}}-\d\d-\d\d\n\n- A change\.\n\n## \[7\.8\.8\]")
        self.assertNotIn("not released", text)
        self.assertEqual(self.release("--notes", f"v{NEXT}").stdout, "- A change.\n")

    def test_a_tag_of_another_version_is_refused(self):
        self.prepare()
        self.assert_refused(self.release("--notes", "v1.2.3"), f"the tag v1.2.3 is not v{NEXT}")

    def test_a_tag_before_the_release_is_prepared_is_refused(self):
        version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
        self.assert_refused(self.release("--notes", f"v{version}"), f"CHANGELOG.md has no section {version}")

    def test_a_release_needs_a_version_and_changes(self):
        self.assert_refused(self.release("next", PROGRAM), "next is not a version")
        self.assert_refused(self.release("7.8.8", PROGRAM), "CHANGELOG.md has a section 7.8.8 already")
        self.prepare()
        self.assert_refused(self.release("8.0.0", PROGRAM), "CHANGELOG.md has nothing under [Unreleased]")

    def test_an_id_that_is_gone_is_reported_unless_the_changelog_names_it(self):
        self.prepare()
        path = self.tree / "results/released.json"
        stored = json.loads(path.read_text(encoding="utf-8"))
        self.assertGreater(len(stored["cases"]), 400)
        self.assertLessEqual({"run --select", "run -j", "run --help", "diff --format"}, set(stored["options"]))
        self.assertLessEqual({"verdict", "run_id", "limitation"}, set(stored["fields"]))
        for kind in ("cases", "rules", "choices", "options", "fields"):
            stored[kind].append(f"an-old-id-of-{kind}")
        path.write_text(json.dumps(stored), encoding="utf-8")
        done = self.release("--check", PROGRAM)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stdout.splitlines()), 5, done.stdout)
        self.assertIn(f"cases: an-old-id-of-cases was released in {NEXT} and is gone", done.stdout)
        with self.changelog.open("a", encoding="utf-8") as text:
            text.writelines(f"- Removed `an-old-id-of-{kind}`.\n" for kind in ("cases", "rules", "choices", "options", "fields"))
        self.assertEqual(self.release("--check", PROGRAM).returncode, 0)

    def test_a_file_with_another_version_is_reported(self):
        path = self.tree / "pyproject.toml"
        path.write_text(path.read_text(encoding="utf-8").replace("\nversion = ", "\nversion = \"9.9.9\"\nold = ", 1), encoding="utf-8")
        done = self.release("--check", PROGRAM)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith("pyproject.toml names the versions 9.9.9, and CMakeLists.txt names "), done.stdout)

    def test_this_tree_keeps_its_promises(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/release.py", "--check", PROGRAM], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
