# tests/tree/check_includes.py: dependencies point one way, and every file says in its first line what it is.
"""Usage: check_includes.py SOURCE_ROOT. Prints one line per violation; exit status 1 when there is any."""
import pathlib
import re
import sys

# A folder may include itself and what its row names.
ABI = ["harness/abi"]
RECIPE = ABI + ["harness/recipe"]
LEDGER = RECIPE + ["harness/ledger"]
FORGE = LEDGER + ["harness/forge"]
ORACLE = FORGE + ["harness/oracle"]
CASE = FORGE + ["harness/case"]
REPRODUCER = FORGE + ["harness/reproducer"]
JUDGE = sorted(set(ORACLE + CASE)) + ["harness/judge"]
INTERFACE = sorted(set(ORACLE + JUDGE + REPRODUCER)) + ["adapters/interface"]
ALLOWED = {
    "harness/abi": ABI,
    "harness/recipe": RECIPE,
    "harness/ledger": LEDGER,
    "harness/forge": FORGE,
    "harness/oracle": ORACLE,
    "harness/case": CASE,
    "harness/reproducer": REPRODUCER,
    "harness/judge": JUDGE,
    "adapters/interface": INTERFACE,
    "adapters/reference": INTERFACE + ["adapters/reference"],
    "adapters/python": INTERFACE + ["adapters/python", "adapters/reference"],
    "suites": sorted(set(ORACLE + CASE)) + ["suites"],
    "mutants": INTERFACE + ["adapters/reference", "mutants"],
    "fuzz": INTERFACE + ["adapters/reference", "mutants", "fuzz"],
    "worker": INTERFACE + ["adapters/reference", "suites", "mutants", "results", "worker"],
    "results": ["results"],
    "reports": ["results", "reports"],
    "runner": ["results", "reports", "runner"],
    "bench": INTERFACE + ["adapters/reference", "bench"],
}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
BANNER = re.compile(r"^(//|#|--|<!--) ?")
PYTHON_NAME = re.compile(r"\bPy[A-Z_]\w+")


def folder_of(path):
    """The longest row of ALLOWED that holds the path, or None."""
    rows = [row for row in ALLOWED if path.startswith(row + "/")]
    return max(rows, key=len) if rows else None


def circles():
    """Rows that reach each other: then neither can be read, built or tested without the other."""
    reached = {row: {folder_of(may + "/") for may in allowed} - {None} for row, allowed in ALLOWED.items()}
    for _ in ALLOWED:
        for row, rows in reached.items():
            rows.update(*[reached[other] for other in list(rows)])
    for row, rows in reached.items():
        for other in sorted(rows):
            if row < other and row in reached[other]:
                yield f"{row}/ and {other}/ may include each other"


def violations(root):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".h", ".cc") or name.split("/")[0] in ("build", ".git"):
            continue
        text = path.read_text(encoding="utf-8")
        if not text.startswith(f"// {name}: "):
            yield f"{name}:1: the first line does not give the path and one sentence"
        row = folder_of(name)
        if row is None:
            continue
        for included in INCLUDE.findall(text):
            if not any(included == a or included.startswith(a + "/") for a in ALLOWED[row]):
                yield f"{name}: {row}/ may not include {included}"
        if row != "adapters/python":
            code = re.sub(r"//.*|\"[^\"\n]*\"", "", text)
            for word in PYTHON_NAME.findall(code):
                yield f"{name}: names {word}; only adapters/python/ may name CPython's symbols"


def main():
    found = [*circles(), *violations(pathlib.Path(sys.argv[1]))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
