#!/usr/bin/env python3
# scripts/top_table.py: writes the table of libraries in README.md from the compact results in reports/results/.
"""Usage: top_table.py PROGRAM [--check]. With --check it writes nothing; exit status 1 and one line if the table is out of date."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BEGIN = "<!-- The table of libraries: scripts/top_table.py writes it. -->\n"
END = "<!-- End of the table. -->\n"
SITE = "https://OWNER.github.io/dlpack-cts"
DEVIATIONS = ("UNSAFE", "CRASH", "LEAK", "TIMEOUT", "FAIL", "WARN")  # the worst first


def site_data(program):
    """What the site says about all libraries, the worst first."""
    results = sorted((ROOT / "reports" / "results").glob("*.ndjson"))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "report", *results, "--out", folder], capture_output=True, text=True, check=False)
        # The report of a library whose result is unexpected has exit status 1.
        if done.returncode > 1:
            sys.exit(done.stderr.rstrip())
        return json.loads(pathlib.Path(folder, "site.json").read_text(encoding="utf-8"))


def row(library):
    counts = collections.Counter(rule["verdict"] for rule in library["rules"].values() if not rule["invalid_input"])
    violated = ", ".join(f"{counts[verdict]} {verdict}" for verdict in DEVIATIONS if counts[verdict])
    findings = ROOT / "adapters" / library["library"] / "findings.md"
    link = f"[findings]({findings.relative_to(ROOT)})" if findings.exists() else ""
    return (f"| [{library['library']} {library['version']}]({SITE}/{library['page']}) | {library['word']} | "
            f"{library['rules_judged']} | {violated} | {link} |\n")


def table(libraries):
    head = "| library | verdict | rules judged | rules violated | |\n|---|---|--:|---|---|\n"
    return BEGIN + head + "".join(map(row, libraries)) + END


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    old = README.read_text(encoding="utf-8")
    begin, end = old.find(BEGIN), old.find(END)
    if not 0 <= begin < end:
        sys.exit(f"dlpack-cts: README.md has no place for the table\n  hint: write two lines: {BEGIN}{END}")
    new = old[:begin] + table(site_data(arguments[0])["libraries"]) + old[end + len(END):]
    if "--check" not in sys.argv[1:]:
        README.write_text(new, encoding="utf-8")
    elif new != old:
        print(f"the table in README.md is out of date: run scripts/top_table.py {arguments[0]}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
