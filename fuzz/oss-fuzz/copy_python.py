# fuzz/oss-fuzz/copy_python.py: copies this interpreter with a library of adapters/ into $OUT, so that a target finds it there.
"""Usage: copy_python.py OUT ADAPTER PROGRAM. Needs an interpreter with a shared libpython, and pip.

OUT/python is the interpreter, OUT/lib holds the shared libraries that it and PROGRAM need, except those of glibc: programs
find them by their DT_RPATH. OUT/NAME is the adapter, OUT/NAME.settings the settings of the targets TARGET_NAME.
"""
import os
import pathlib
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import tomllib

UNUSED = ("test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "site-packages", "dist-packages",
          "__pycache__", "config-*", "_tkinter*", "_ssl*", "_sqlite3*", "_curses*", "_dbm*", "_gdbm*", "readline*", "nis*")
GLIBC = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|anl)\.so.*|linux-vdso.*)")


def copy_interpreter(folder):
    """Returns the path of libpython, and the folder of its packages."""
    lib = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("stdlib"), lib, ignore=shutil.ignore_patterns(*UNUSED), symlinks=False,
                    ignore_dangling_symlinks=True)
    (folder / "bin").mkdir()
    shutil.copy(os.path.realpath(sys.executable), folder / "bin/python3")
    shared = sysconfig.get_config_var("INSTSONAME")
    if ".so" not in shared:
        sys.exit(f"{sys.executable} has no shared libpython; set PYTHON to an interpreter that has one")
    shutil.copy(os.path.join(sysconfig.get_config_var("LIBDIR"), shared), folder / "lib" / shared)
    # Debian's interpreters look for packages in dist-packages.
    is_debian = any(path.endswith("dist-packages") for path in site.getsitepackages())
    return folder / "lib" / shared, lib / ("dist-packages" if is_debian else "site-packages")


def copy_needed(files, folder):
    """Copies the shared libraries that the files need into the folder."""
    folder.mkdir(exist_ok=True)
    for file in files:
        listed = subprocess.run(["ldd", file], text=True, capture_output=True, check=False).stdout
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE):
            if not GLIBC.fullmatch(name) and not (folder / name).exists() and folder.parent not in pathlib.Path(path).parents:
                shutil.copy(path, folder / name)


def settings(adapter, library, libpython):
    """The lines of NAME.settings. Known deviations do not stop a target, as in library.toml's expectations."""
    lines = ["KIND=python", f"ADAPTER={adapter.name}", "PYTHON=python/bin/python3", f"LIBPYTHON=python/lib/{libpython.name}"]
    lines += [f"env.{name}={value}" for name, value in library.get("environment", {}).items()]
    file = adapter / "expectations.toml"
    expected = tomllib.loads(file.read_text()).get("expect", []) if file.exists() else []
    for entry in expected:
        if "cause" not in entry and entry["verdict"] not in ("CRASH", "TIMEOUT"):
            lines.append(f"KNOWN={entry.get('case', '')}\t{entry.get('rule', '')}\t{entry['message']}")
    return "\n".join(lines) + "\n"


def main():
    out, adapter, program = map(pathlib.Path, sys.argv[1:])
    library = tomllib.loads((adapter / "library.toml").read_text())
    libpython, packages = copy_interpreter(out / "python")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-compile", "--target", packages,
                    *library["requirements"]], check=True)
    for tests in list(packages.rglob("tests")):
        shutil.rmtree(tests)
    # $OUT is read-only, and archives change the times of files.
    subprocess.run([sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", out / "python/lib"],
                   check=True)
    copy_needed([program, libpython, *(out / "python").rglob("*.so")], out / "lib")
    shutil.rmtree(out / adapter.name, ignore_errors=True)
    shutil.copytree(adapter, out / adapter.name, ignore=shutil.ignore_patterns("*.md", "__pycache__"))
    (out / f"{adapter.name}.settings").write_text(settings(adapter, library, libpython))


if __name__ == "__main__":
    main()
