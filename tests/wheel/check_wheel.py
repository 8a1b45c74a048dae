# tests/wheel/check_wheel.py: installs a wheel in fresh environments, outside the tree, and judges NumPy with it.
"""Usage: check_wheel.py WHEEL VERSION...   VERSION is "3.9" or the like. Exit status 0 when every version judges the
NumPy of its environment, 1 otherwise, 2 when an interpreter is missing."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


LEAST_PASSED = 150  # of any NumPy; deviations depend on its version, and are not the subject of this test


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


def run(arguments, folder, **variables):
    """Without a compiler: only the programs of the environment are on PATH."""
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False, timeout=300,
                          env={"HOME": str(folder), "PATH": f"{folder}/env/bin", **variables})


def check(wheel, python, folder):
    """The first thing that is wrong, or an empty string."""
    own = f"{folder}/env/bin/python"
    subprocess.run([python, "-m", "venv", f"{folder}/env"], check=True)
    subprocess.run([own, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, "numpy"], check=True)
    words = run([f"{folder}/env/bin/dlpack-cts", "--version"], folder)
    if words.returncode != 0 or "dlpack-cts" not in words.stdout:
        return f"dlpack-cts --version: {words.stdout}{words.stderr}"
    for way, variables in (("with its libpython if it has one", {}), ("without libpython", {"DLPACK_CTS_LIBPYTHON": "none"})):
        ran = run([own, "-m", "dlpack_cts", "run", "numpy", "--sweep", "500", "--format", "json"], folder, **variables)
        lines = [json.loads(line) for line in ran.stdout.splitlines()] or [{}]
        passed = sum(line.get("verdict") == "PASS" for line in lines)
        header = lines[0]
        if ran.returncode not in (0, 1) or header.get("environment") != own or passed < LEAST_PASSED:
            return f"{way}: status {ran.returncode}, {passed} PASS, environment {header.get('environment')}: {ran.stderr[-2000:]}"
    fuzz = run([own, "-m", "dlpack_cts", "fuzz", "import", "numpy"], folder)
    if fuzz.returncode != 2 or "a wheel does not contain them" not in fuzz.stderr:
        return f"fuzz: status {fuzz.returncode}: {fuzz.stderr}"
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
            wrong = check(os.path.abspath(wheel), python, pathlib.Path(folder))
        print(f"CPython {version}: {wrong or 'as expected'} ({time.monotonic() - began:.0f} s)")
        status = 1 if wrong else status
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else __doc__)
