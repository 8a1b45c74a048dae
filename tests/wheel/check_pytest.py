# tests/wheel/check_pytest.py: the pytest plugin of an installed wheel judges the toy library of tests/worker/.
"""Usage: check_pytest.py PYTHON. PYTHON has the package dlpack_cts and pytest. Exit status 0 if everything is as expected."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
TOY = TREE / "tests" / "worker" / "misbehaving"
FAST = "--examples 10 --sweep 0 --timeout 2"
CASE = "c-abi/data/byte-offset-is-added"
CRASHING = "c-abi/flags/unknown-flags-are-noticed"  # with the misdeed "segfault"
OWN_TEST = """
import sys

def test_the_plugin_imports_nothing():
    assert "dlpack_cts.pytest_plugin" in sys.modules
    assert not {"dlpack_cts.results", "dlpack_cts.adapters"} & set(sys.modules)
"""


class Wrong(Exception):
    """A check that failed, with the output of pytest."""


class Checks:
    def __init__(self, python, folder):
        self.python, self.folder = python, folder
        self.log = folder / "log"
        # A program that notes each of its runs.
        self.counted = folder / "sitecustomize.py"
        self.counted.write_text("import subprocess\n_run = subprocess.run\n"
                                "def run(command, *more, **named):\n"
                                f"    if 'run' in command: open({str(self.log)!r}, 'a').write(repr(command) + '\\n')\n"
                                "    return _run(command, *more, **named)\nsubprocess.run = run\n")

    def pytest(self, *arguments, misdeed="", status=0, cwd=None):
        self.log.write_text("")
        paths = os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")])
        ran = subprocess.run([self.python, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(self.folder), *map(str, arguments)], cwd=cwd or self.empty(), capture_output=True, text=True, check=False, timeout=300,
                             env={**os.environ, "MISDEED": misdeed, "PYTHONPATH": paths})
        if ran.returncode != status:
            raise Wrong(f"status {ran.returncode} instead of {status}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def toy(self, *arguments, misdeed="", status=0, more=""):
        return self.pytest("--dlpack-cts", "misbehaving", "--dlpack-cts-adapter", TOY, "--dlpack-cts-args", f"{FAST} {more}",
                           "-rA", *arguments, misdeed=misdeed, status=status)

    def empty(self):
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        return empty

    def runs(self):
        return self.log.read_text().splitlines()

    @staticmethod
    def require(text, *patterns):
        for pattern in patterns:
            if not re.search(pattern, text, re.MULTILINE):
                raise Wrong(f"no match of {pattern!r} in: {text}")

    def check_a_run_without_the_option_is_not_disturbed(self):
        own = self.folder / "own"
        own.mkdir()
        (own / "test_own.py").write_text(OWN_TEST)
        self.require(self.pytest(cwd=own), r"1 passed")

    def check_the_cases_are_collected_without_a_run(self):
        listed = self.pytest("--dlpack-cts", "misbehaving", "--collect-only", "-q")
        self.require(listed, rf"^dlpack-cts::misbehaving::{CASE}$", r"^dlpack-cts::misbehaving::expectations$")
        if "::interop/" in listed or self.runs():
            raise Wrong(listed)

    def check_one_run_of_the_selected_cases(self):
        ran = self.toy("-k", "c-abi/data or C-SHAPE-01")
        self.require(ran, rf"^PASSED .*dlpack-cts::misbehaving::{CASE}$", r"^collected \d+ items / \d+ deselected / \d+ selected$",
                     r"^SKIPPED .*SKIP: the adapter does not claim")
        if len(self.runs()) != 1 or "c-abi/own" in self.runs()[0] or CASE not in self.runs()[0] or "c-abi/shape" not in self.runs()[0]:
            raise Wrong(f"{self.runs()}")

    def check_a_failure_shows_the_cause(self):
        ran = self.toy("-k", CRASHING, misdeed="segfault", status=1)
        self.require(ran, r"^CRASH: ", r"^  rule: +[A-Z]", r"^  cause: +import/", r"^  replay: +dlpack-cts run misbehaving")
        if "Traceback" in ran or "pytest_plugin.py" in ran:
            raise Wrong(ran)

    def check_x_stops_after_the_first_failure(self):
        self.require(self.toy("-x", "-k", "c-abi/flags or c-abi/data", misdeed="segfault", status=1), r"1 failed", r"stopping after 1 failures")

    def check_known_deviations_are_xfail_and_strict(self):
        listed = self.folder / "known.toml"
        listed.write_text(f'[[expect]]\ncase = "{CRASHING}"\nverdict = "CRASH"\nmessage = ""\nwhy = "known here"\n')
        more = f"--expectations {listed}"
        ran = self.toy("-k", CRASHING, misdeed="segfault", more=more)
        self.require(ran, rf"^XFAIL .*dlpack-cts::misbehaving::{CRASHING}.*known here", r"1 xfailed")
        ran = self.toy("-k", CRASHING, more=more, status=1)
        self.require(ran, rf"\[XPASS\(strict\)\].*{CRASHING} is listed as CRASH")
        ran = self.toy("-k", f"{CRASHING} or expectations", more=more, status=1)
        self.require(ran, r"1 failed", r"^PASSED .*::expectations")

    def check_a_library_that_cannot_be_judged_fails_once(self):
        ran = self.pytest("--dlpack-cts", "no-such-library", status=1)
        self.require(ran, r"1 failed, \d+ skipped", r"^dlpack-cts: .*no-such-library")


def check(python):
    """The first check that fails, or an empty string."""
    for name in [name for name in vars(Checks) if name.startswith("check_")]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                getattr(Checks(python, pathlib.Path(folder)), name)()
            except Wrong as wrong:
                return f"{name}: {wrong}"
    return ""


if __name__ == "__main__":
    sys.exit((check(sys.argv[1]) or 0) if len(sys.argv) == 2 else __doc__)
