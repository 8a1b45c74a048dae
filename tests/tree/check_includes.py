# tests/tree/check_includes.py: includes point in one direction, and the first line of every file describes it.
"""Usage: check_includes.py SOURCE_ROOT. Prints one line per violation; exit status 1 when there is any."""
import pathlib
import re
import sys

# A folder may include itself, base/ and the folders of its row, each of which some file of it includes.
ALLOWED = {
    "base": [],
    "harness/abi": [],
    "harness/recipe": ["harness/abi"],
    "harness/ledger": ["harness/abi", "harness/recipe"],
    "harness/forge": ["harness/recipe", "harness/ledger"],
    "harness/oracle": ["harness/abi", "harness/recipe", "harness/ledger"],
    "harness/case": ["harness/recipe", "harness/ledger"],
    "harness/choices": ["harness/recipe", "harness/ledger", "harness/case"],
    "harness/compare": ["harness/recipe", "harness/ledger", "harness/oracle", "harness/choices"],
    "harness/attribute": ["harness/abi", "harness/recipe", "harness/ledger"],
    "harness/minimise": ["harness/recipe", "harness/case", "harness/attribute"],
    "harness/reproducer": ["harness/recipe", "harness/ledger", "harness/forge"],
    "subject": ["harness/recipe", "harness/ledger", "harness/forge", "harness/oracle", "harness/case"],
    "engine": ["harness/recipe", "harness/ledger", "harness/forge", "harness/oracle", "subject"],
    "bridge": ["harness/recipe", "harness/ledger", "harness/forge", "subject"],
    "reference": ["harness/abi", "harness/recipe", "subject"],
    "reference/python": ["harness/recipe", "subject", "bridge", "reference"],
    "suites": ["harness/recipe", "harness/case"],
    "mutants": ["harness/recipe", "harness/ledger", "harness/case", "reference"],
    "fuzz": ["harness/recipe", "harness/ledger", "harness/oracle", "harness/case", "harness/minimise", "subject",
             "engine", "reference", "mutants", "results"],
    "worker/process": ["harness/recipe", "harness/ledger", "harness/case", "results"],
    "worker/job": ["harness/recipe", "harness/case", "harness/attribute", "mutants", "results"],
    "worker/diagnose": ["harness/recipe", "harness/ledger", "harness/case", "harness/compare", "harness/attribute",
                        "harness/minimise", "results", "worker/process", "worker/job"],
    "worker/run": ["harness/recipe", "harness/ledger", "harness/oracle", "harness/case", "harness/choices",
                   "harness/compare", "harness/attribute", "harness/minimise", "engine", "results", "worker/process",
                   "worker/job", "worker/diagnose"],
    "worker/probe": ["harness/recipe", "harness/ledger", "harness/oracle", "harness/case", "harness/choices",
                     "subject", "engine", "results", "worker/process", "worker/run"],
    "worker": ["harness/recipe", "harness/ledger", "harness/forge", "harness/case", "harness/choices", "harness/attribute",
               "harness/minimise", "harness/reproducer", "subject", "engine", "reference", "mutants", "results",
               "worker/process", "worker/job", "worker/diagnose", "worker/run", "worker/probe"],
    "results": [],
    "reports": ["results"],
    "runner/base": ["results", "reports"],
    "runner/catalogue": ["results", "reports", "runner/base"],
    "runner/environment": ["reports", "runner/base"],
    "runner/session": ["results", "reports", "runner/base", "runner/environment"],
    "runner/verdict": ["results", "runner/base", "runner/catalogue", "runner/environment", "runner/session"],
    "runner/run": ["results", "reports", "runner/base", "runner/catalogue", "runner/environment", "runner/session",
                   "runner/verdict"],
    "runner/campaign": ["results", "reports", "runner/base", "runner/catalogue", "runner/session", "runner/verdict",
                        "runner/run"],
    "runner/replay": ["results", "reports", "runner/base", "runner/catalogue", "runner/session", "runner/run",
                      "runner/campaign"],
    "runner/cli": ["results", "reports", "runner/base", "runner/catalogue", "runner/environment", "runner/session",
                   "runner/verdict", "runner/run", "runner/campaign", "runner/replay"],
    "runner": ["results", "runner/base", "runner/cli"],
    "bench": ["harness/recipe", "harness/ledger", "harness/oracle", "harness/case", "harness/compare", "harness/forge", "subject", "engine"],
}
# The only folders that may use symbols of CPython.
PYTHON = ["bridge", "reference/python"]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
BANNER = re.compile(r"^(//|#|--|<!--) ?")
PYTHON_NAME = re.compile(r"\bPy[A-Z_]\w+")


def folder_of(path):
    """The longest row of ALLOWED that holds the path, or None."""
    rows = [row for row in ALLOWED if path.startswith(row + "/")]
    return max(rows, key=len) if rows else None


def circles():
    """Rows that reach each other: neither can be built or tested without the other."""
    reached = {row: {folder_of(may + "/") for may in allowed} - {None} for row, allowed in ALLOWED.items()}
    for _ in ALLOWED:
        for row, rows in reached.items():
            rows.update(*[reached[other] for other in list(rows)])
    for row, rows in reached.items():
        for other in sorted(rows):
            if row < other and row in reached[other]:
                yield f"ALLOWED lets {row}/ and {other}/ include each other"


def violations(root):
    used = set()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".h", ".cc") or name.split("/")[0] in ("build", ".git"):
            continue
        text = path.read_text(encoding="utf-8")
        if not text.startswith(f"// {name}: "):
            yield f"{name}:1: the first line must be \"// {name}: \" and one sentence"
        row = folder_of(name)
        if row is None:
            continue
        for included in INCLUDE.findall(text):
            target = folder_of(included)
            used.add((row, target))
            if target not in (row, "base", *ALLOWED[row]):
                yield f"{name}: {row}/ may not include {included}"
        if row not in PYTHON:
            code = re.sub(r"//.*|\"[^\"\n]*\"", "", text)
            for word in PYTHON_NAME.findall(code):
                yield f"{name}: uses {word}; only {'/ and '.join(PYTHON)}/ may use symbols of CPython"
    for row, allowed in ALLOWED.items():
        for other in allowed:
            if (row, other) not in used:
                yield f"ALLOWED lets {row}/ include {other}/, and no file does"


def main():
    found = [*circles(), *violations(pathlib.Path(sys.argv[1]))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
