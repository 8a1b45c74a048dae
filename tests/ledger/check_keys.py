# tests/ledger/check_keys.py: every fact key that suites, judges and the reproducer's prelude name is in the table.
"""Usage: check_keys.py ROOT. docs/facts.md holds the table's keys: ledger_test compares both."""
import pathlib
import re
import sys

COUNTS = {"S": 4, "C": 8, "D": 16, "F": 8}
BLOCKS = "import|export|source|table|fault|deleter"


def known_keys(page):
    keys = set()
    for pattern in re.findall(r"^\| `([^`]+)` \|", page.read_text(), re.M):
        forms = [pattern]
        for letter, count in COUNTS.items():
            forms = [re.sub(r"(?<=[a-z])" + letter + r"(?=\.|$)", str(number), form)
                     for form in forms for number in range(count)]
        keys.update(forms)
    return keys


def is_known(key, keys):
    """A key, or what a key begins with: its number or its last part is added at run time."""
    return any(known == key or (known.startswith(key) and (known[len(key)] in ".0123456789" or key[-1] == "."))
               for known in keys)


def named(path, text):
    """(line, key) of every literal that names a fact, or begins or ends one."""
    if path.suffix == ".cc":
        pattern = r'"((?:%s)\d(?:\.[a-z0-9_.]*)?|faults|unsupported)"' % BLOCKS
    else:
        pattern = r'"((?:%s)(?:%%d|\d)\.[a-z0-9_.%%]+)"' % BLOCKS
    for match in re.finditer(pattern, text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1).replace("%d", "0").replace("%s", "")
    if path.suffix == ".py":
        for match in re.finditer(r'\bkey \+ "\.?([a-z_]+)"', text):
            yield text.count("\n", 0, match.start()) + 1, "." + match.group(1)


def main():
    root = pathlib.Path(sys.argv[1])
    keys = known_keys(root / "docs/facts.md")
    endings = {key[key.index("."):] for key in keys if "." in key}
    endings |= {"." + key.rsplit(".", 1)[1] for key in keys if "." in key}
    files = [*root.glob("suites/**/*.cc"), *root.glob("harness/case/*.cc"), *root.glob("harness/reproducer/*.cc"),
             *root.glob("worker/*.cc"), *root.glob("harness/reproducer/prelude/*.py")]
    seen, wrong = 0, []
    for path in sorted(files):
        for line, key in named(path, path.read_text()):
            seen += 1
            if not (key in endings if key.startswith(".") else is_known(key, keys)):
                wrong.append("%s:%d: no fact is called %s" % (path.relative_to(root), line, key))
    if seen < 200:
        wrong.append("only %d keys were found: does this test still read the suites?" % seen)
    print("\n".join(wrong) if wrong else "%d keys, all of them known" % seen)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
