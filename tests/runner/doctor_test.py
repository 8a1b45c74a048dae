# tests/runner/doctor_test.py: `doctor` names what dlpack-cts uses, and says what to do where something is missing.
import pathlib
import shutil
import sys
import tempfile
import unittest

import program

ROWS = ["program", "data", "worker", "bridge", "interpreter", "libpython", "environments", "compiler", "CUDA driver",
        "CUDA kernels", "trial"]


def rows_of(text):
    """What each line says, by its name."""
    return {line[:14].strip(): line[14:] for line in text.splitlines()[:-1] if not line.startswith("  hint: ")}


class Doctor(unittest.TestCase):
    def doctor(self, *arguments, **options):
        ran = program.run("doctor", *arguments, **options)
        self.assertEqual(ran.err, "")
        return ran.status, rows_of(ran.out), ran.out.splitlines()

    def test_says_what_it_uses(self):
        status, rows, lines = self.doctor("--python", sys.executable)
        self.assertEqual((status, lines[-1]), (0, "dlpack-cts can judge libraries here."))
        self.assertEqual(list(rows), ROWS)
        self.assertRegex(rows["data"], r"^/.* \([0-9]+ adapters\)$")
        self.assertRegex(rows["worker"], r"^/.*/dlpack-cts-worker \([0-9]+ cases\)$")
        self.assertEqual(rows["interpreter"], f"{sys.executable} (from --python)")
        self.assertTrue(rows["trial"].endswith(" passes on the reference"))

    def test_says_how_the_worker_enters_the_interpreter(self):
        _, rows, _ = self.doctor("--python", sys.executable, environment={"DLPACK_CTS_LIBPYTHON": "none"})
        self.assertTrue(rows["libpython"].startswith("none: the interpreter loads the worker"))

    def test_knows_the_interpreter_of_the_caller(self):
        _, rows, _ = self.doctor(environment={"DLPACK_CTS_PYTHON": sys.executable})
        self.assertEqual(rows["interpreter"], f"{sys.executable} (from DLPACK_CTS_PYTHON)")

    def test_names_a_missing_interpreter(self):
        status, rows, lines = self.doctor("--python", "/nowhere/python")
        self.assertEqual(status, 2)
        self.assertEqual(rows["interpreter"], "MISSING: there is no interpreter at /nowhere/python")
        self.assertIn("  hint: give the path of an environment, or of its bin/python", lines)
        self.assertTrue(lines[-1].startswith("dlpack-cts cannot judge libraries here"))

    def test_names_missing_parts_of_the_installation(self):
        for part, row, needs in (("share/dlpack-cts/rules", "data", "the folders rules/ and adapters/"),
                                 ("bin/dlpack-cts-worker", "worker", "the program dlpack-cts-worker"),
                                 ("bin/libdlpack-cts-bridge.so", "bridge", "the program libdlpack-cts-bridge.so")):
            with tempfile.TemporaryDirectory() as folder:
                path, _ = program.install(pathlib.Path(folder))
                missing = pathlib.Path(folder) / part
                shutil.rmtree(missing) if missing.is_dir() else missing.unlink()
                status, rows, _ = self.doctor("--python", sys.executable, program_path=path)
                self.assertEqual(status, 3, part)
                self.assertTrue(rows[row].startswith(f"MISSING: {needs}"), rows[row])


if __name__ == "__main__":
    unittest.main()
