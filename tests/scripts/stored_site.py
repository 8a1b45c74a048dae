# tests/scripts/stored_site.py: the site of the results in reports/results/, for the tests that look at it.
import subprocess


def stored_files(root):
    return sorted((root / "reports/results").glob("*.ndjson"))


def stored_results(root):
    """Those of single libraries."""
    return [path for path in stored_files(root) if path.name != "pairs.ndjson"]


def write_site(root, program, folder):
    """What scripts/site.sh does, with the program that is tested."""
    done = subprocess.run([program, "report", *stored_files(root), "--history", root / "reports/history",
                           "--out", folder], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
