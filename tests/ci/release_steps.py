# tests/ci/release_steps.py: runs the steps of release.yml that name a release and attach the wheel, with another gh.
"""Usage: release_steps.py WHEEL. It needs ruamel.yaml. Exit status 0 if the release has the wheel and its notes, 1 otherwise. The job
that builds the wheel is not run: .ci/run builds and checks the wheel by the same two commands."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import ruamel.yaml

TREE = pathlib.Path(__file__).resolve().parents[2]
GH = '#!/bin/sh\nfor word; do echo "$word"; done >"$CALLS"\ncat notes/notes.md >>"$CALLS"\n'


def run_job(jobs, name, folder, tag):
    """Runs the shell steps of a job in a folder; the status of the first that fails."""
    variables = {**os.environ, "GITHUB_REF_NAME": tag, "CALLS": str(folder / "calls"), "PATH": f"{folder}:{os.environ['PATH']}"}
    for step in jobs[name]["steps"]:
        if "run" in step:
            ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder, env=variables,
                                 check=False)
            if ran.returncode != 0:
                return ran.returncode
    return 0


def first_mistake(folder, wheel):
    """What the workflow does wrong, or an empty string."""
    jobs = ruamel.yaml.YAML(typ="safe").load(TREE / ".github/workflows/release.yml")["jobs"]
    for name in ("scripts", "docs", "examples"):
        shutil.copytree(TREE / name, folder / name, ignore=shutil.ignore_patterns("build"))
    for name in ("CMakeLists.txt", "pyproject.toml"):
        shutil.copy(TREE / name, folder)
    version = wheel.name.split("-")[1]
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n## [{version}] - 2020-01-01\n\n- A change.\n",
                                         encoding="utf-8")
    (folder / "gh").write_text(GH, encoding="utf-8")
    (folder / "gh").chmod(0o755)
    if run_job(jobs, "notes", folder, "v9.9.9") != 2:
        return "a tag of another version is not refused"
    if run_job(jobs, "notes", folder, f"v{version}") != 0:
        return "there are no notes"
    # The artifacts, as actions/download-artifact leaves them: a folder for each.
    for artifact, file in (("notes", folder / "notes.md"), ("dist", wheel)):
        (folder / artifact).mkdir()
        shutil.copy(file, folder / artifact)
    if run_job(jobs, "publish", folder, f"v{version}") != 0:
        return "the release is not made"
    called = (folder / "calls").read_text(encoding="utf-8").splitlines()
    wanted = ["release", "create", f"v{version}", f"dist/{wheel.name}", "--verify-tag", "--title", f"dlpack-cts {version}",
              "--notes-file", "notes/notes.md", "- A change."]
    return "" if called == wanted else f"gh is called with {called}"


def main(wheel):
    with tempfile.TemporaryDirectory() as folder:
        mistake = first_mistake(pathlib.Path(folder), pathlib.Path(wheel).resolve())
    print(f"release.yml: {mistake or 'as expected'}")
    return 1 if mistake else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
