# tests/runner/fake_worker.py: a copy of the driver beside a worker that is a script, for what no real worker does.
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
told = dict(zip(sys.argv[1::2], sys.argv[2::2]))
job = json.load(open(told["--job"]))
cases = job["cases"]
out = int(told["--out"])
with open(os.path.join(HERE, "started"), "a") as file:
    file.write("once\\n")
begun = len(open(os.path.join(HERE, "started")).readlines())


def raw(data):
    while data:
        data = data[os.write(out, data):]


def marked(data):
    raw(b"\\n" + told["--mark"].encode() + data + b"\\n")


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
    """With `deed` for the code that follows HEAD, and `question` for what comes before every question but a job."""

    def __init__(self, test, deed, question="pass"):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = str(self.folder / "dlpack-cts")
        shutil.copy2(BUILD / "dlpack-cts", self.program)
        worker = self.folder / "dlpack-cts-worker"
        worker.write_text(HEAD.format(python=sys.executable, real=str(BUILD / "dlpack-cts-worker"), question=question)
                          + deed)
        worker.chmod(0o755)

    def started(self):
        file = self.folder / "started"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def run(self, *arguments, **options):
        return program.run(*arguments, program_path=self.program, **options)
