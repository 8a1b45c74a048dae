# tests/regression/complete_test.py: each finding that a findings.md describes is kept, or without.toml says why not.
"""Usage: complete_test.py ROOT"""
import fnmatch
import json
import pathlib
import re
import sys
import tomllib

NUMBER = re.compile(r"\b[A-Z]{1,2}[0-9]+\b")
ROW = re.compile(r"^\| ([A-Z]{1,2}[0-9]+) \|", re.MULTILINE)
# Of the machine that found it: these have no place in a kept file.
OF_A_MACHINE = {"adapters", "python", "pythonpath", "environment"}


def lists(entry, finding):
    """Whether the entry of the expectations lists the finding, in whichever version."""
    if entry["verdict"] != finding["verdict"]:
        return False
    if "cause" in entry:
        return fnmatch.fnmatchcase(finding["cause"], entry["cause"])
    key = "case" if "case" in entry else "rule"
    return fnmatch.fnmatchcase(finding[key], entry[key]) and finding["message"].startswith(entry["message"])


def numbers_of(entries, finding):
    """The findings of findings.md that the entries name for it."""
    named = [re.findall(r"\(([^()]*)\)", entry["why"]) for entry in entries if lists(entry, finding)]
    return {number for inners in named for inner in inners for number in NUMBER.findall(inner)}


def main(root):
    kept = root / "corpus" / "findings"
    without = tomllib.loads((kept / "without.toml").read_text(encoding="utf-8"))
    wrong = []
    described = {}
    for page in sorted(root.glob("adapters/*/findings.md")):
        described[page.parent.name] = ROW.findall(page.read_text(encoding="utf-8"))
    for library, numbers in described.items():
        entries = tomllib.loads((root / "adapters" / library / "expectations.toml").read_text(encoding="utf-8"))["expect"]
        reasons = without.get(library, {})
        seen = set()
        for file in sorted((kept / library).glob("*.json")):
            seen |= numbers_of(entries, json.loads(file.read_text(encoding="utf-8")))
        for number in numbers:
            if number not in seen and number not in reasons and "all" not in reasons:
                wrong.append(f"{library} {number}: no kept finding shows it, and without.toml gives no reason")
        for number in reasons.keys() - {"all"}:
            if number in seen or number not in numbers:
                wrong.append(f"without.toml: [{library}] {number} is kept, or findings.md does not describe it")
        if "all" in reasons and seen:
            wrong.append(f"without.toml: findings of {library} are kept, so name the others one by one")
    files = sorted(kept.glob("*/*.json"))
    for file in files:
        finding = json.loads(file.read_text(encoding="utf-8"))
        if finding["library"] != file.parent.name:
            wrong.append(f"{file}: is about {finding['library']}")
        if OF_A_MACHINE & finding.keys():
            wrong.append(f"{file}: names paths of a machine; dlpack-cts replay {file} --keep DIR writes one without")
        if ("mutant" in finding) != (finding["library"] == "reference"):
            wrong.append(f"{file}: a finding of the reference needs a mutant, and no other finding has one")
    wrong += [f"without.toml: there is no findings.md of {library}" for library in without.keys() - described.keys()]
    print(*wrong, sep="\n")
    print(f"{len(files)} findings are kept")
    return 1 if wrong or not files else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
