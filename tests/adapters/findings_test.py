# tests/adapters/findings_test.py: each listed deviation is described in the library's findings.md, and the summary is up to date.
"""Usage: findings_test.py ROOT"""
import pathlib
import re
import subprocess
import sys
import tomllib

NUMBER = re.compile(r"\b[A-Z]{1,2}[0-9]+\b")
ROW = re.compile(r"^\| ([A-Z]{1,2}[0-9]+) \|", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)")


def numbers_of(why):
    """The findings that a reason names, in its parentheses."""
    return {number for inner in re.findall(r"\(([^()]*)\)", why) for number in NUMBER.findall(inner)}


def anchors(page):
    """The anchors of the page's headings, as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            for title in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)}


def dead_links(page):
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        other = page.parent / target
        if not other.exists():
            yield f"{page}: {target} does not exist"
        elif anchor and anchor not in anchors(other):
            yield f"{page}: {target} has no heading #{anchor}"


def main():
    root = pathlib.Path(sys.argv[1])
    pages = {page.parent.name: page for page in sorted(root.glob("adapters/*/findings.md"))}
    rows = {name: set(ROW.findall(page.read_text(encoding="utf-8"))) for name, page in pages.items()}
    wrong = [line for page in pages.values() for line in dead_links(page)]
    seen = 0
    for file in sorted(root.glob("adapters/*/expectations.toml")):
        name = file.parent.name
        described = rows.get(name, set())
        for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("expect", []):
            wrong += [f"{file}: no adapter is called {partner}" for partner in entry.get("from", []) + entry.get("to", [])
                      if not (root / "adapters" / partner).is_dir()]
            if entry.get("cause", "").startswith("limit/"):
                continue  # findings.md proves deviations alone
            seen += 1
            named = numbers_of(entry["why"])
            if "findings.md" not in entry["why"] or not named:
                wrong.append(f"{file}: names no finding: {entry['why']}")
            wrong += [f"{file}: the findings.md of {name} has no row {number}" for number in sorted(named - described)]
    if seen == 0:
        wrong.append("no expectation was read")
    summary = subprocess.run([sys.executable, "-B", root / "scripts" / "findings.py", "--check"], capture_output=True,
                             text=True, check=False)
    if summary.returncode != 0:
        wrong.append(summary.stdout + summary.stderr)
    print(*wrong, sep="\n")
    print(f"{seen} expectations, {len(set().union(*rows.values()))} findings")
    return 1 if wrong else 0


sys.exit(main())
