# tests/ci/action_steps.py: runs the shell steps of action.yml with the variables that GitHub sets.
"""Usage: action_steps.py WHEEL. It needs ruamel.yaml, and installs the wheel and NumPy in an environment of its own. Exit status
0 if the action does what docs/ci.md says, 1 otherwise."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import ruamel.yaml

TREE = pathlib.Path(__file__).resolve().parents[2]
MOST_SECONDS = 90
EXPRESSION = re.compile(r"\$\{\{ *([a-z.-]+) *\}\}")


class Job:
    """One job that uses the action, with an empty folder as workspace."""

    def __init__(self, folder, python):
        self.action = ruamel.yaml.YAML(typ="safe").load(TREE / "action.yml")
        self.folder, self.python = folder, python
        self.summary, self.output = folder / "summary", folder / "output"

    def run(self, **inputs):
        """Runs the steps with a shell; the status and the output of the last one."""
        words = {f"inputs.{name}": given["default"] for name, given in self.action["inputs"].items()}
        words.update({f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()})
        words.update({"inputs.python": self.python, "runner.temp": str(self.folder)})
        self.summary.write_text("")
        self.output.write_text("")
        for step in self.action["runs"]["steps"]:
            if "run" not in step:
                continue
            given = {name: EXPRESSION.sub(lambda found: words[found[1]], value) for name, value in step["env"].items()}
            # GitHub's own call of a step with "shell: bash".
            ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.folder,
                                 capture_output=True, text=True, check=False, timeout=600, env=dict(
                                     os.environ, **given, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(self.summary),
                                     GITHUB_OUTPUT=str(self.output), GITHUB_WORKSPACE=str(self.folder)))
            if ran.returncode != 0:
                break
        return ran.returncode, ran.stdout + ran.stderr

    def results(self):
        report = dict(line.split("=", 1) for line in self.output.read_text().splitlines())["report"]
        return [json.loads(line) for line in (pathlib.Path(report) / "results.ndjson").read_text().splitlines()]


def first_mistake(job, wheel):
    """What the action does wrong, or an empty string."""
    began = time.monotonic()
    status, text = job.run(library="numpy", package=wheel, args="--seed 1 --sweep 1000")
    if status not in (0, 1) or not any(line["type"] == "footer" and line["complete"] for line in job.results()):
        return f"NumPy: status {status}: {text[-2000:]}"
    if time.monotonic() - began > MOST_SECONDS:
        return f"NumPy: {time.monotonic() - began:.0f} s, more than {MOST_SECONDS} s"
    if "numpy" not in job.summary.read_text().lower():
        return "NumPy: there is no report on the summary page"
    adapter = str(TREE / "examples" / "python-adapter")
    status, text = job.run(adapter=adapter, package=wheel, args="--select c-abi/data/* --sweep 0")
    if status != 0 or {line["library"] for line in job.results() if line["type"] == "header"} != {"strided"}:
        return f"an adapter: status {status}: {text[-2000:]}"
    status, text = job.run(library="no-such-library", package=wheel)
    if status != 2 or "no-such-library" not in text:
        return f"an unknown library: status {status}: {text[-2000:]}"
    return ""


def main(wheel):
    with tempfile.TemporaryDirectory() as folder:
        environment = pathlib.Path(folder, "environment")
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        python = str(environment / "bin" / "python")
        subprocess.run([python, "-m", "pip", "-q", "--disable-pip-version-check", "install", "numpy"], check=True)
        mistake = first_mistake(Job(pathlib.Path(folder), python), wheel)
    print(f"action.yml: {mistake or 'as expected'}")
    return 1 if mistake else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
