# tests/worker/method_cache_test.py: CPython's cache of methods, which older versions fill with None, is not a reference that exports leave.
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "runner"))
import program  # noqa: E402

CASE = "python/references/export-leaves-none"
# The destructor of each capsule looks up a method, after the counts were taken and the cache was cleared.
WITH_A_DESTRUCTOR_IN_PYTHON = """
destroyed = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda capsule: type("Class", (), {"method": None}).method)
correct_export = Array.__dlpack__
def export(self, **kw):
    capsule = correct_export(self, **kw)
    ctypes.pythonapi.PyCapsule_SetDestructor(ctypes.py_object(capsule), destroyed)
    return capsule
Array.__dlpack__ = export
"""


def older_python():
    """A CPython before 3.10, or None."""
    kept = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"), "versions")
    found = [*map(shutil.which, ("python3.8", "python3.9")), *kept.glob("3.[89].*/bin/python")]
    works = lambda path: path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0  # noqa: E731
    return next((str(path) for path in found if works(path)), None)


class ACapsuleWithADestructorInPython(unittest.TestCase):
    def test_leaves_no_reference_to_none(self):
        python = older_python()
        if python is None:
            self.skipTest("this machine has no CPython before 3.10")
        with tempfile.TemporaryDirectory() as folder:
            adapter = program.toy_that(folder, WITH_A_DESTRUCTOR_IN_PYTHON, ["producer"])
            ran, results = program.judge(adapter=adapter, select=[CASE], more=("--python", python))
        self.assertEqual(results.cases[CASE]["verdict"], "PASS", ran.out + ran.err)


if __name__ == "__main__":
    unittest.main()
