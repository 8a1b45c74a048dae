# tests/adapters/findings_test.py: every deviation that an adapter lists is described in reports/findings.md, by its number.
"""Usage: findings_test.py ROOT"""
import pathlib
import re
import sys
import tomllib

NUMBER = re.compile(r"\b[A-Z][0-9]+\b")


def numbers_of(why):
    """The findings that a reason names, in its parentheses."""
    return {number for inner in re.findall(r"\(([^()]*)\)", why) for number in NUMBER.findall(inner)}


def main():
    root = pathlib.Path(sys.argv[1])
    findings = (root / "reports/findings.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| ([A-Z][0-9]+) \|", findings, re.MULTILINE))
    wrong = []
    seen = 0
    for file in sorted(root.glob("adapters/*/*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("expect", []):
            seen += 1
            named = numbers_of(entry["why"])
            if "findings.md" not in entry["why"] or not named:
                wrong.append(f"{file}: names no finding: {entry['why']}")
            wrong += [f"{file}: reports/findings.md has no row {number}" for number in sorted(named - rows)]
    if seen == 0:
        wrong.append("no expectation was read")
    print(*wrong, sep="\n")
    print(f"{seen} expectations, {len(rows)} findings")
    return 1 if wrong else 0


sys.exit(main())
