# tests/runner/pinned_version_test.py: NAME==VERSION gets an interpreter that the version supports, or pip's own reason.
import os
import pathlib
import shutil
import tempfile
import unittest

import program

PYTHON = shutil.which("python3.11") or shutil.which("python3")
# An interpreter whose pip has one version of the package, for Python 3.12 and later.
FAKE = """#!/bin/sh
case "$*" in
  *"os.write(3"*) printf '3 {minor}\\n\\n\\ncpython\\n0\\n' >&3 ;;
  *venv*) for folder; do :; done
    mkdir -p "$folder/bin" "$folder/lib/python3.{minor}" && cp "$0" "$folder/bin/python" ;;
  *"pip install"*--only-binary=:all:*mine==2*) echo "{minor}" >>"{log}"
    [ {minor} -ge 12 ] && exit 0
    echo "ERROR: Ignored the following versions that require a different python version: 2 Requires-Python >=3.12" >&2
    echo "ERROR: No matching distribution found for mine==2" >&2; exit 1 ;;
  *"pip install"*) echo "{minor}" >>"{log}"; echo "ERROR: No matching distribution found for mine==9" >&2; exit 1 ;;
  *) exec {python} "$@" ;;
esac
"""


class PinnedVersion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "library.toml").write_text(
            'name = "mine"\nkind = "python"\nroles = ["consumer"]\nrequirements = ["mine==1"]\npython = ["3.11"]\n')
        (self.folder / "adapter.py").write_text("")
        (self.folder / "bin").mkdir()
        self.tried = self.folder / "tried"

    def add(self, *minors):
        for minor in minors:
            fake = self.folder / "bin" / f"python3.{minor}"
            fake.write_text(FAKE.format(minor=minor, python=PYTHON, log=self.tried))
            fake.chmod(0o755)

    def create(self, version):
        return program.run("env", "create", f"mine=={version}", "--adapter", self.folder, environment={
            "DLPACK_CTS_CACHE": str(self.folder / "cache"), "PYENV_ROOT": str(self.folder),
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin" if not os.path.exists("/usr/bin/python3.12") else str(self.folder / "bin")})

    def minors(self):
        return self.tried.read_text().split()

    def test_takes_the_first_interpreter_that_it_supports(self):
        self.add(8, 9, 11, 13)
        ran = self.create(2)
        self.assertEqual(ran.status, 0, ran.err)
        self.assertEqual(self.minors(), ["11", "13"])  # pip's reason excludes the earlier ones
        self.assertIn("Python 3.11 does not fit: pip: mine 2 Requires-Python >=3.12", ran.err)
        self.assertEqual(self.create(2).out, ran.out)
        self.assertEqual(self.minors(), ["11", "13"])

    def test_that_no_interpreter_fits_is_one_message_with_the_reason_of_pip(self):
        self.add(10, 11)
        ran = self.create(2)
        self.assertEqual(ran.status, 2)
        message = [line for line in ran.complaints() if "failed" in line]
        self.assertEqual(len(message), 1, ran.err)
        self.assertIn("installing mine==2 failed with Python 3.11; pip: mine 2 Requires-Python >=3.12", message[0])
        self.assertEqual(ran.hints()[-1][:30], "  hint: install a Python >=3.12"[:30])
        self.assertNotIn("network", ran.err)

    def test_that_does_not_exist_is_said_with_the_words_of_pip(self):
        self.add(11, 12)
        ran = self.create(9)
        self.assertEqual(ran.status, 2)
        self.assertIn("failed with Python 3.11, Python 3.12; pip: No matching distribution found for mine==9", ran.err)
        self.assertIn("hint: check that this version exists: pip index versions mine", ran.err)


if __name__ == "__main__":
    unittest.main()
