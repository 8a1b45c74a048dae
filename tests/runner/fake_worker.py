# tests/runner/fake_worker.py: a copy of the driver with a script as its worker, for errors that no real worker makes.
import os
import pathlib
import shutil
import sys
import tempfile

import program

BUILD = pathlib.Path(program.PROGRAM).resolve().parent
HEAD = """#!{python}
import json, os, signal, sys, time
REAL = {real!r}
HERE = os.path.dirname(os.path.abspath(__file__))
if "--job" not in sys.argv:
    {question}
    os.execv(REAL, [REAL, *sys.argv[1:]])
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
job = json.load(open(options["--job"]))
cases = job["cases"]
out = int(options["--out"])
with open(os.path.join(HERE, "started"), "a") as file:
    file.write("once\\n")
begun = len(open(os.path.join(HERE, "started")).readlines())


def raw(data):
    while data:
        data = data[os.write(out, data):]


def marked(data):
    raw(b"\\n" + options["--mark"].encode() + data + b"\\n")


def line(**fields):
    marked(json.dumps(fields).encode())


def observation(case, **changes):
    fields = dict(type="observation", case=case, observed="held", degree="", rule="", message="", fact="", wanted="",
                  got="", ledger=[], recipe=None, seed=1, examples=1, held=1, refused=0, nothing=0, seconds=0.1)
    fields.update(changes)
    return {{key: value for key, value in fields.items() if value is not Ellipsis}}


def hello():
    line(type="hello", library_version="1", interpreter="", pid=os.getpid(), profile={{}})


def bye():
    line(type="bye")


"""


class FakeWorker:
    """`deed` is the code after HEAD. `question` is the code that runs before every call without a job."""

    def __init__(self, test, deed, question="pass"):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = str(self.folder / "dlpack-cts")
        shutil.copy2(BUILD / "dlpack-cts", self.program)
        (self.folder / "dlpack-cts-data").symlink_to(BUILD / "dlpack-cts-data")
        worker = self.folder / "dlpack-cts-worker"
        worker.write_text(HEAD.format(python=sys.executable, real=str(BUILD / "dlpack-cts-worker"), question=question)
                          + deed)
        worker.chmod(0o755)

    def started(self):
        file = self.folder / "started"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def run(self, *arguments, **options):
        return program.run(*arguments, program_path=self.program, **options)
