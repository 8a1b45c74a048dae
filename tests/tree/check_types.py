# tests/tree/check_types.py: a type has one definition, since two in one namespace are undefined behaviour when they are linked together.
"""Usage: check_types.py SOURCE_ROOT. Prints one line per violation; exit status 1 when there is any."""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:struct|class|union|enum class|enum) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{$.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)
# Programs that are never linked with ours.
APART = ("tests", "examples", "build", ".git")


def definitions(name, text):
    """(namespace, type) of each definition that other files can see. Nested types belong to their class."""
    namespaces = NAMESPACE.findall(text)
    for match in TYPE.finditer(UNNAMED.sub("", text)):
        yield namespaces[0] if namespaces else "", match[1]


def violations(root):
    places = collections.defaultdict(list)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".h", ".cc") or name.split("/")[0] in APART:
            continue
        for definition in definitions(name, path.read_text(encoding="utf-8")):
            places[definition].append(name)
    for (namespace, name), files in sorted(places.items()):
        if len(files) > 1:
            yield f"{namespace}::{name} is defined in {' and in '.join(files)}; rename one of them"


def main():
    assert list(definitions("a.h", "namespace a {\nstruct B final {\n};\nnamespace {\nstruct C {\n}\n}  // namespace\n}")) == [("a", "B")]
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
