# tests/ci/check_ci.py: checks action.yml, our own workflows and those of docs/ci.md, and runs steps of the action and a release.
"""Usage: check_ci.py WHEEL. Exit status 0 if everything is as expected, 1 otherwise."""
import os
import pathlib
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
CHECKER = "check-jsonschema==0.39.0"  # it has the schemas of GitHub and GitLab, and a YAML parser
SCHEMAS = (("vendor.github-actions", ("action.yml",)),
           ("vendor.github-workflows", ("examples/ci/library.yml", "examples/ci/nightly.yml",
                                        "examples/ci/shards.yml",
                                        *(file.relative_to(TREE) for file in (TREE / ".github/workflows").glob("*.yml")))),
           ("vendor.gitlab-ci", ("examples/ci/gitlab-ci.yml", "examples/ci/gitlab-shards.yml")))


def main(wheel):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        subprocess.run([python, "-m", "pip", "-q", "--disable-pip-version-check", "install", CHECKER], check=True)
        checks = [[python, "-m", "check_jsonschema", "--builtin-schema", schema, *(str(TREE / file) for file in files)]
                  for schema, files in SCHEMAS]
        checks += [[python, "-B", str(TREE / "tests" / "ci" / script), os.path.abspath(wheel)]
                   for script in ("action_steps.py", "release_steps.py")]
        return max(subprocess.run(check, check=False).returncode for check in checks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
