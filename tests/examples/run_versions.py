# tests/examples/run_versions.py: one build of the bridge passes on every CPython from 3.8 to 3.13 that is found.
"""Usage: run_versions.py DLPACK_CTS [--all]

Looks for interpreters on PATH and where pyenv keeps them, and runs the suite on the reference in each that has a
libpython. With --all it fails when 3.8, 3.11 or 3.13 is missing; without, it exits 77 then, after it ran the others."""
import os
import pathlib
import subprocess
import sys
import tempfile

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
NEEDED = {"3.8", "3.11", "3.13"}
ASK = ("import sys, sysconfig, os; v = sysconfig.get_config_var; lib = 'libpython%d.%d.so.1.0' % sys.version_info[:2]; "
       "folders = [v('LIBDIR') or '', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/local/lib']; "
       "print('%d.%d' % sys.version_info[:2], any(os.path.exists(os.path.join(f, lib)) for f in folders))")


def candidates(version):
    yield f"python{version}"
    root = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv")
    for folder in sorted(root.glob(f"versions/{version}.*")):
        yield str(folder / "bin/python3")


def has_libpython(python, version):
    try:
        done = subprocess.run([python, "-I", "-c", ASK], capture_output=True, text=True, timeout=30)
    except OSError:
        return False
    return done.stdout.split() == [version, "True"]


def main():
    program, needs_all = sys.argv[1], "--all" in sys.argv[2:]
    missing, failed = set(), False
    for version in VERSIONS:
        python = next((name for name in candidates(version) if has_libpython(name, version)), None)
        if python is None:
            missing.add(version)
            continue
        with tempfile.TemporaryDirectory() as out:
            command = [program, "run", "reference", "--python", python, "--seed", "1", "--out", out]
            done = subprocess.run(command, capture_output=True, text=True)
        summary = next((line for line in done.stdout.splitlines() if line.startswith("Summary")), "no summary")
        print(f"CPython {version}: status {done.returncode}, {summary}")
        if done.returncode != 0 or " PASS" not in summary:
            failed = True
            print(done.stdout + done.stderr)
    for version in sorted(missing & NEEDED):
        print(f"CPython {version} with a libpython is not on this machine")
    if failed or (needs_all and missing & NEEDED):
        return 1
    return 77 if missing & NEEDED else 0


if __name__ == "__main__":
    sys.exit(main())
