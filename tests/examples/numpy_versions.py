# tests/examples/numpy_versions.py: NumPy as it was and as it is, judged with this tree's adapter and expectations.
"""Usage: numpy_versions.py DLPACK_CTS [--make] [--seed N]

Every version has an environment of its own in ~/.cache/dlpack-cts/versions (XDG_CACHE_HOME is honoured). --make makes those that
are missing, with pip and the CPythons that are on PATH or where pyenv keeps them. Each has to be judged without a surprise:
no false alarm, no stale expectation. Without --make, versions that have no environment are left out; 77 when none has one."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# NumPy and the CPythons that it has wheels for.
VERSIONS = {"1.23": ("3.10", "3.11"), "1.26": ("3.11", "3.12", "3.10"), "2.0": ("3.11", "3.12", "3.10"),
            "2.2": ("3.11", "3.12", "3.13"), "2.5": ("3.13", "3.12")}
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "dlpack-cts" / "versions"


def interpreters(version):
    root = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv")
    for folder in sorted(root.glob(f"versions/{version}.*"), reverse=True):
        yield str(folder / "bin/python3")
    yield f"python{version}"


def make(numpy, folder):
    for python in (name for version in VERSIONS[numpy] for name in interpreters(version)):
        try:
            subprocess.run([python, "-m", "venv", folder], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        print(f"NumPy {numpy}: making {folder} with {python}", flush=True)
        pip = [folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:"]
        subprocess.run([*pip, f"numpy=={numpy}.*"], check=True)
        return
    sys.exit(f"NumPy {numpy} needs CPython {' or '.join(VERSIONS[numpy])}")


def judge(program, numpy, python, seed):
    with tempfile.TemporaryDirectory() as out:
        command = [program, "run", "numpy", "--python", str(python), "--seed", str(seed), "--out", out]
        done = subprocess.run(command, capture_output=True, text=True)
        results = pathlib.Path(out, "results.ndjson")
        lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    summary = next((line for line in done.stdout.splitlines() if line.startswith("Summary")), "no summary")
    version = lines[0].get("library_version", "") if lines else ""
    print(f"NumPy {numpy} ({version}): status {done.returncode}, {summary}", flush=True)
    right = done.returncode == 0 and version.startswith(numpy + ".")
    if not right:
        print(done.stdout + done.stderr)
    return right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    judged, wrong = 0, 0
    for numpy in VERSIONS:
        folder = CACHE / f"numpy-{numpy}"
        if not (folder / "bin/python").exists():
            if not options.make:
                print(f"NumPy {numpy} has no environment: {parser.prog} DLPACK_CTS --make makes one")
                continue
            make(numpy, folder)
        judged += 1
        wrong += not judge(options.program, numpy, folder / "bin/python", options.seed)
    return 1 if wrong else 0 if judged else 77


if __name__ == "__main__":
    sys.exit(main())
