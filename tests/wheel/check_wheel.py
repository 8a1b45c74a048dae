# tests/wheel/check_wheel.py: installs a wheel in fresh environments, outside the tree, and judges NumPy with it.
"""Usage: check_wheel.py WHEEL VERSION...   VERSION is "3.9" or the like. Exit status 0 when every version judges the
NumPy of its environment, 1 otherwise, 2 when an interpreter is missing."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import check_pytest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
LEAST_PASSED = 150  # of any NumPy; deviations depend on its version, and are not the subject of this test
MOST_IMPORT_SECONDS = 0.05
ENTRY_POINT = "[dlpack_cts.adapters]\nstrided = mylib.adapter\nbroken = mylib.nothing\n"


def find(version):
    """An interpreter of that version, on PATH or in pyenv's folder."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"), "versions")
    for python in [f"python{version}", *sorted(pyenv.glob(f"{version}.*/bin/python3"))]:
        ask = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        try:
            if subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip() == version:
                return str(python)
        except OSError:
            continue
    return None


class Installed:
    """An environment with the wheel. The checks return the first thing that is wrong, or an empty string."""

    def __init__(self, wheel, python, folder):
        self.folder = folder
        self.python = f"{folder}/env/bin/python"
        subprocess.run([python, "-m", "venv", f"{folder}/env"], check=True)
        self.pip("install", wheel)

    def pip(self, *arguments):
        subprocess.run([self.python, "-m", "pip", "-q", "--disable-pip-version-check", *arguments], check=True)

    def run(self, arguments, **variables):
        """Without a compiler: only the programs of the environment are on PATH."""
        return subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True, check=False, timeout=300,
                              env={"HOME": str(self.folder), "PATH": f"{self.folder}/env/bin", **variables})

    def module(self, *arguments, **variables):
        return self.run([self.python, "-m", "dlpack_cts", *arguments], **variables)

    def check_command(self):
        words = self.run([f"{self.folder}/env/bin/dlpack-cts", "--version"])
        return "" if words.returncode == 0 and "dlpack-cts" in words.stdout else words.stdout + words.stderr

    def check_without_numpy(self):
        """One sentence and one hint."""
        ran = self.module("run", "numpy", "--select", "c-abi/data/*")
        lines = [line for line in ran.stderr.splitlines() if not line.startswith("dlpack-cts: seed ")]
        sentence = "dlpack-cts: numpy: the module numpy, which its adapter imports, is not installed in "
        right = ran.returncode == 2 and len(lines) == 2 and lines[0].startswith(sentence + str(self.folder))
        return "" if right else f"without NumPy: status {ran.returncode}: {ran.stdout}{ran.stderr}"

    def check_numpy(self):
        self.pip("install", "numpy")
        for way, variables in (("with its libpython if it has one", {}), ("without libpython", {"DLPACK_CTS_LIBPYTHON": "none"})):
            ran = self.module("run", "numpy", "--sweep", "500", "--format", "json", **variables)
            lines = [json.loads(line) for line in ran.stdout.splitlines()] or [{}]
            passed = sum(line.get("verdict") == "PASS" for line in lines)
            used = lines[0].get("environment")
            if ran.returncode not in (0, 1) or used != self.python or passed < LEAST_PASSED:
                return f"{way}: status {ran.returncode}, {passed} PASS, environment {used}: {ran.stderr[-2000:]}"
        return ""

    def check_reference(self):
        """Of the reference, which lies in two libraries with a C++ runtime each, all is as expected."""
        ran = self.module("run", "reference", "--sweep", "500", "--format", "quiet")
        return "" if ran.returncode == 0 else f"reference: status {ran.returncode}: {ran.stdout}{ran.stderr}"

    def check_objects(self):
        """dlpack_cts.run() returns what the program prints."""
        script = ("import dlpack_cts; report = dlpack_cts.run('numpy', '--select', 'c-abi/data/*', '--sweep', '0'); "
                  "assert report.library == 'numpy' and report.complete, report; "
                  "assert report.as_expected == (not report.unexpected()), report; "
                  "assert sum(result.verdict == 'PASS' for result in report.results) > 5, report\n"
                  "from dlpack_cts.results import Failed\n"
                  "try: dlpack_cts.run('no-such-library')\n"
                  "except Failed as failed: assert failed.status == 2 and 'no adapter' in str(failed), failed\n"
                  "else: raise AssertionError('no exception')\n")
        ran = self.run([self.python, "-c", script])
        return ran.stderr if ran.returncode else ""

    def check_import_time(self):
        script = "import time; begun = time.monotonic(); import dlpack_cts; print(time.monotonic() - begun)"
        seconds = min(float(self.run([self.python, "-c", script]).stdout) for _ in range(3))
        return "" if seconds < MOST_IMPORT_SECONDS else f"import dlpack_cts takes {seconds:.3f} s"

    def check_adapter_of_a_package(self):
        """mylib announces its adapter, which is that of examples/python-adapter, and must not be imported by the driver."""
        site = next(pathlib.Path(self.folder, "env", "lib").glob("python3*/site-packages"))
        shutil.copytree(TREE / "examples" / "python-adapter", site / "mylib" / "adapter")
        (site / "mylib" / "__init__.py").write_text("raise SystemExit('mylib was imported')\n")
        (site / "mylib-1.0.dist-info").mkdir()
        (site / "mylib-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mylib\nVersion: 1.0\n")
        (site / "mylib-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINT)
        ran = self.module("run", "strided", "--select", "c-abi/data/*", "--examples", "10", "--format", "quiet")
        return "" if ran.returncode == 0 else f"adapter of a package: status {ran.returncode}: {ran.stdout}{ran.stderr}"

    def check_doctor(self):
        ran = self.module("doctor")
        right = ran.returncode == 0 and f"{self.python} (from DLPACK_CTS_PYTHON)" in ran.stdout
        return "" if right else f"doctor: status {ran.returncode}: {ran.stdout}{ran.stderr}"

    def check_fuzz(self):
        ran = self.module("fuzz", "import", "numpy", "--runs", "3000", "--out", f"{self.folder}/campaign")
        right = ran.returncode == 0 and ran.stdout.splitlines()[-1].startswith("3000 exchanges in ")
        return "" if right else f"fuzz: status {ran.returncode}: {ran.stdout}{ran.stderr}"

    def check_plugin(self):
        self.pip("install", "pytest")
        return check_pytest.check(self.python)

    def check(self):
        for check in (self.check_command, self.check_without_numpy, self.check_numpy, self.check_reference, self.check_objects,
                      self.check_import_time, self.check_adapter_of_a_package, self.check_doctor, self.check_fuzz, self.check_plugin):
            wrong = check()
            if wrong:
                return f"{check.__name__}: {wrong}"
        return ""


def main(wheel, *versions):
    status = 0
    for version in versions:
        python = find(version)
        if python is None:
            print(f"there is no CPython {version} on this machine")
            return 2
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            wrong = Installed(os.path.abspath(wheel), python, pathlib.Path(folder)).check()
        print(f"CPython {version}: {wrong or 'as expected'} ({time.monotonic() - began:.0f} s)")
        status = 1 if wrong else status
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else __doc__)
