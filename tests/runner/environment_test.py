# tests/runner/environment_test.py: two runs that need the same environment, and one that is interrupted meanwhile.
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

import program
from interruption_test import wait_for, workers

PYTHON = shutil.which("python3.11") or shutil.which("python3")
FAKE = """#!/bin/sh
case "$2" in
  venv) mkdir -p "$3" && mktemp -d >&2 && echo $$ > "$3/marker" && while :; do sleep 0.1; done ;;
esac
exec {python} "$@"
"""


class AnUnfinishedEnvironment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tag = f"DLPACK_CTS_TEST={os.getpid()}-{self.id()}"
        self.addCleanup(self.assert_gone)
        self.version = subprocess.run([PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                                      capture_output=True, text=True, check=True).stdout.strip()
        (self.folder / "library.toml").write_text(
            f'name = "mine"\nkind = "python"\nroles = ["consumer"]\nrequirements = ["mine==1"]\npython = ["{self.version}"]\n'
            'index_hint = "from\\nthere\\u001b[31m"\n')
        (self.folder / "adapter.py").write_text("")
        fake = self.folder / "bin" / f"python{self.version}"
        fake.parent.mkdir()
        fake.write_text(FAKE.format(python=PYTHON))
        fake.chmod(0o755)

    def start(self):
        (self.folder / "tmp").mkdir(exist_ok=True)
        name, value = self.tag.split("=")
        variables = {**os.environ, name: value, "DLPACK_CTS_CACHE": str(self.folder / "cache"), "TMPDIR": str(self.folder / "tmp"),
                     "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        errors = open(self.folder / f"errors{len(list(self.folder.glob('errors*')))}", "w+")
        self.addCleanup(errors.close)
        process = subprocess.Popen([program.PROGRAM, "run", "mine", "--adapter", str(self.folder), "-j", "2"],
                                   stdout=subprocess.DEVNULL, stderr=errors, env=variables)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, pathlib.Path(errors.name)

    def assert_gone(self):
        self.assertTrue(wait_for(lambda: not workers(self.tag.encode()), 10), workers(self.tag.encode()))

    def markers(self):
        return list(self.folder.glob("cache/env/*/marker"))

    def test_is_announced_in_lines_that_the_library_cannot_end(self):
        _, errors = self.start()
        self.assertTrue(wait_for(self.markers), "no environment is begun")
        self.assertIn("  note: from\\nthere\\x1b[31m\n", errors.read_text())

    def test_is_removed_by_the_run_that_made_it_and_by_no_other(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
            with self.subTest(number):
                maker, _ = self.start()
                self.assertTrue(wait_for(self.markers), "no environment is begun")
                waiter, errors = self.start()
                self.assertTrue(wait_for(lambda: "waiting for another run" in errors.read_text()), errors.read_text())
                waiter.send_signal(number)
                self.assertEqual(waiter.wait(20), 130)
                self.assertTrue(self.markers())
                installer = int(self.markers()[0].read_text())
                maker.send_signal(number)
                self.assertEqual(maker.wait(20), 130)
                self.assertFalse(self.markers())
                self.assertEqual([path.name for path in self.folder.glob("cache/env/*") if path.is_dir()], [])
                self.assertEqual(list((self.folder / "tmp").iterdir()), [], "temporary files of pip are left")
                self.assertFalse(os.path.exists(f"/proc/{installer}/environ"))

    def test_of_a_killed_run_stays_locked_until_its_installer_has_ended(self):
        maker, _ = self.start()
        self.assertTrue(wait_for(self.markers), "no environment is begun")
        installer = int(self.markers()[0].read_text())
        waiter, errors = self.start()
        self.assertTrue(wait_for(lambda: "waiting for another run" in errors.read_text()), errors.read_text())
        maker.kill()
        maker.wait()
        self.assertTrue(wait_for(lambda: "making an environment" in errors.read_text()), errors.read_text())
        self.assertFalse(os.path.exists(f"/proc/{installer}/environ"))
        waiter.send_signal(signal.SIGINT)
        self.assertEqual(waiter.wait(20), 130)


class MadeEnvironments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = pathlib.Path(folder.name) / "env"
        for name in ("mine-0123456789ab", "mine-ba9876543210", "mine+other-0123456789ab"):
            (self.cache / name / "bin").mkdir(parents=True)
            (self.cache / name / "bin" / "file").write_bytes(b"x" * 3_000_000)
            (self.cache / f"{name}.lock").touch()
        (self.cache / "mine-0123456789ab" / "dlpack-cts-complete").touch()

    def env(self, *arguments):
        return program.run("env", *arguments, environment={"DLPACK_CTS_CACHE": str(self.cache.parent)})

    def test_are_listed_with_their_sizes(self):
        ran = self.env("list")
        lines = ran.out.splitlines()
        self.assertEqual((ran.status, [line.split()[0] for line in lines]),
                         (0, ["mine+other-0123456789ab", "mine-0123456789ab", "mine-ba9876543210"]), ran)
        self.assertIn("  3 MB  ", lines[1])
        self.assertIn("  3 MB, unfinished  ", lines[2])

    def test_of_a_library_are_removed(self):
        self.assertEqual(self.env("remove", "mine").status, 0)
        self.assertEqual([path.name for path in self.cache.iterdir() if path.is_dir()], ["mine+other-0123456789ab"])

    def test_are_removed_by_name(self):
        self.assertEqual(self.env("remove", "mine-ba9876543210").status, 0)
        self.assertTrue((self.cache / "mine-0123456789ab").is_dir())
        self.assertFalse((self.cache / "mine-ba9876543210").exists())


if __name__ == "__main__":
    unittest.main()
