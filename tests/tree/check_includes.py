# tests/tree/check_includes.py: includes point in one direction, and the first line of every file describes it.
"""Usage: check_includes.py SOURCE_ROOT. Prints one line per violation; exit status 1 when there is any."""
import pathlib
import re
import sys

# A folder may include itself and the folders of its row. Rows list only includes that exist; DATA counts as one.
# Every folder may include base/.
DATA = ["harness/abi", "harness/recipe", "harness/ledger"]
ALLOWED = {
    "base": [],
    "harness/abi": [],
    "harness/recipe": ["harness/abi"],
    "harness/ledger": ["harness/abi", "harness/recipe"],
    "harness/forge": DATA,
    "harness/oracle": DATA,
    "harness/case": DATA,
    "harness/reproducer": DATA + ["harness/forge"],
    "harness/judge": DATA + ["harness/oracle", "harness/case"],
    "harness/minimise": DATA + ["harness/case", "harness/judge"],
    "adapters/interface": DATA + ["harness/forge", "harness/oracle", "harness/case"],
    "adapters/reference": DATA + ["adapters/interface"],
    "adapters/python": DATA + ["harness/forge", "adapters/interface", "adapters/reference"],
    "suites": DATA + ["harness/oracle", "harness/case"],
    "mutants": ["harness/case", "adapters/reference"],
    "fuzz": DATA + ["harness/oracle", "harness/case", "harness/minimise", "adapters/interface", "mutants"],
    "worker/process": DATA + ["harness/case", "results"],
    "worker/job": DATA + ["harness/case", "harness/judge", "mutants", "results"],
    "worker/diagnose": DATA + ["harness/case", "harness/judge", "harness/minimise", "results", "worker/process",
                               "worker/job"],
    "worker/run": DATA + ["harness/oracle", "harness/case", "harness/judge", "harness/minimise", "adapters/interface",
                          "results", "worker/process", "worker/diagnose", "worker/job"],
    "worker/probe": DATA + ["harness/oracle", "harness/case", "harness/judge", "adapters/interface", "results",
                            "worker/process", "worker/run"],
    "worker": DATA + ["harness/case", "harness/judge", "harness/minimise", "harness/reproducer",
                      "adapters/interface", "adapters/reference", "mutants", "results"],
    "results": [],
    "reports": ["results"],
    "runner": ["results", "reports"],
    "bench": DATA + ["harness/oracle", "harness/case", "adapters/interface"],
}
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
            if not any(included.startswith(folder + "/") for folder in [row, "base", *ALLOWED[row]]):
                yield f"{name}: {row}/ may not include {included}"
        if row != "adapters/python":
            code = re.sub(r"//.*|\"[^\"\n]*\"", "", text)
            for word in PYTHON_NAME.findall(code):
                yield f"{name}: uses {word}; only adapters/python/ may use symbols of CPython"


def main():
    found = [*circles(), *violations(pathlib.Path(sys.argv[1]))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
