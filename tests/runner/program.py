# tests/runner/program.py: runs dlpack-cts for a test, and reads what it left.
import json
import os
import pathlib
import shutil
import subprocess

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("DLPACK_CTS", str(TESTS.parent / "build" / "release" / "dlpack-cts"))
TOY = str(TESTS / "worker" / "misbehaving")
WITHOUT_FORK = str(TESTS / "worker" / "misbehaving_without_fork")


class Ran:
    """One finished run of the program."""

    def __init__(self, process):
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr

    def complaints(self):
        return [line for line in self.err.splitlines() if line.startswith("dlpack-cts: ")
                and not line.startswith(("dlpack-cts: seed ", "dlpack-cts: running: "))]

    def hints(self):
        return [line for line in self.err.splitlines() if line.startswith("  hint: ")]


def run(*arguments, environment=None, seconds=120, program_path=None, **options):
    variables = {**os.environ, **(environment or {})}
    return Ran(subprocess.run([program_path or PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace",
                              env=variables, timeout=seconds, check=False, **options))


def start(*arguments, environment=None):
    """A run that goes on while the test does."""
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            env={**os.environ, **(environment or {})})


def install(folder):
    """An installed program, whose data may be broken. Returns it, and the folder of its data."""
    share = folder / "share" / "dlpack-cts"
    (folder / "bin").mkdir()
    for name in ("dlpack-cts", "dlpack-cts-worker", "libdlpack-cts-worker.so", "libdlpack-cts-bridge.so"):
        shutil.copy2(pathlib.Path(PROGRAM).parent / name, folder / "bin")
    for name in ("rules", "adapters"):
        shutil.copytree(TESTS.parent / name, share / name)
    (share / "docs").mkdir()
    for name in ("glossary.md", "results.md"):
        shutil.copy2(TESTS.parent / "docs" / name, share / "docs")
    return folder / "bin" / "dlpack-cts", share


def lines_of(text):
    return [json.loads(line) for line in text.splitlines() if line.strip()]


class Results:
    """A result file: header, results by case, causes, limitations, footer."""

    def __init__(self, text):
        lines = lines_of(text)
        self.header, self.footer = lines[0], lines[-1]
        assert self.header["type"] == "header" and self.footer["type"] == "footer", text[:200] + text[-200:]
        self.lines = [line for line in lines if line["type"] == "result"]
        found = [line for line in lines if line["type"] == "cause"]
        self.causes = [line for line in found if not line.get("limitation")]
        self.limitations = [line for line in found if line.get("limitation")]
        self.cases = {line["case"]: line for line in self.lines}
        assert len(self.cases) == len(self.lines), "a case has two lines"


def toy_that(folder, deed, roles, claims=()):
    """The folder of a toy of tests/python, made in `folder`: a library of these roles, with the text `deed` behind its adapter."""
    adapter = pathlib.Path(folder, "toy")
    adapter.mkdir()
    library = {"name": "toy", "kind": "python", "roles": list(roles), "claims": list(claims), "requirements": [], "python": [], "size_mb": 1}
    lines = [f"{key} = {json.dumps(value)}" for key, value in library.items()]
    (adapter / "library.toml").write_text("\n".join([*lines, "fork_safe = true", ""]), encoding="utf-8")
    toy = (TESTS / "python" / "toy_adapter" / "adapter.py").read_text(encoding="utf-8")
    (adapter / "adapter.py").write_text(toy + deed, encoding="utf-8")
    return str(adapter)


def dies_if(condition):
    """A deed of such a toy: it aborts when it takes the pointer of a capsule with a `name` for which the condition holds."""
    return f"""
import os, threading
correct_api = API
class Dying:
    def __getattr__(self, name):
        return getattr(correct_api, name)
    def PyCapsule_GetPointer(self, capsule, name):
        if {condition}:
            os.abort()
        return correct_api.PyCapsule_GetPointer(capsule, name)
API = Dying()
"""


def judge(misdeed="", adapter=TOY, select=(), timeout=2, more=(), environment=None, program_path=None, **options):
    """Runs the toy library, which does that misdeed. Returns what came of it, and its results."""
    selection = [word for glob in select for word in ("--select", glob)]
    ran = run("run", os.path.basename(adapter), "--adapter", adapter, "--seed", 1, "--examples", 10, "--timeout", timeout,
              "--format", "json", *selection, *more, environment={"MISDEED": misdeed, **(environment or {})},
              program_path=program_path, **options)
    return ran, Results(ran.out) if ran.out.strip() else None
