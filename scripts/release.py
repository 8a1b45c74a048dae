#!/usr/bin/env python3
# scripts/release.py: prepares a release, and checks what docs/releases.md promises about ids, options and result files.
"""Usage:
    release.py VERSION PROGRAM   write VERSION into all files that name it, date its section of CHANGELOG.md, and store its ids
    release.py --check PROGRAM   exit status 1 and a line for each file with another version, and for each id that is gone
    release.py --notes TAG       print the section of CHANGELOG.md that TAG has; exit status 2 if TAG is not the version of the tree"""
import datetime
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
STORED = ROOT / "results" / "released.json"
VERSION = r"\d+\.\d+\.\d+"
# Every file that names the version, with what stands before it.
PLACES = (("CMakeLists.txt", r"^project\(dlpack-cts VERSION "), ("pyproject.toml", r'^version = "'),
          ("docs/ci.md", r"OWNER/dlpack-cts@v"), ("docs/ci.md", r"`dlpack-cts=="), ("docs/results.md", r"OWNER/dlpack-cts/blob/v"),
          ("docs/install.md", r"dlpack_cts-"), ("docs/install.md", r"/download/v"), ("examples/ci/library.yml", r"OWNER/dlpack-cts@v"),
          ("examples/ci/shards.yml", r"OWNER/dlpack-cts@v"), ("examples/ci/nightly.yml", r"OWNER/dlpack-cts@v"))
LISTS = {"cases": "case", "rules": "id", "choices": "choice"}


def fail(sentence, hint):
    print(f"dlpack-cts: {sentence}\n  hint: {hint}", file=sys.stderr)
    sys.exit(2)


def versions():
    """Each place with the versions that it names."""
    for name, before in PLACES:
        text = (ROOT / name).read_text(encoding="utf-8")
        yield name, re.findall(f"{before}({VERSION})", text, re.MULTILINE)


def version():
    """That of CMakeLists.txt, which the program prints."""
    return next(versions())[1][0]


def asked(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def fields(schema):
    """The names of all fields of result files."""
    if isinstance(schema, list):
        return set().union(*map(fields, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})).union(*map(fields, schema.values()))


def promised(program):
    """What a release keeps, by kind: lists of ids."""
    kept = {kind: sorted({row[key] for row in json.loads(asked(program, "list", kind, "--json"))}) for kind, key in LISTS.items()}
    commands = re.findall(r"^  ([a-z]+)  ", asked(program, "--help").split("Commands:")[1], re.MULTILINE)
    kept["options"] = sorted({f"{command} {option}" for command in commands
                              for names in re.findall(r"^  (-\S+)", asked(program, command, "--help"), re.MULTILINE)
                              for option in names.split(",")})
    kept["fields"] = sorted(fields(json.loads((ROOT / "results/results.schema.json").read_text(encoding="utf-8"))))
    return kept


def mistakes(program):
    for name, found in versions():
        if set(found) != {version()}:
            yield f"{name} names the versions {', '.join(found) or '(none)'}, and CMakeLists.txt names {version()}"
    if not STORED.exists():
        return  # nothing is released yet
    old, new, changelog = json.loads(STORED.read_text(encoding="utf-8")), promised(program), CHANGELOG.read_text(encoding="utf-8")
    for kind, ids in new.items():
        for gone in sorted(set(old[kind]) - set(ids)):
            if f"`{gone}`" not in changelog:
                yield f"{kind}: {gone} was released in {old['version']} and is gone; CHANGELOG.md does not name it"


def section(number):
    """The text of a version in CHANGELOG.md, without its heading; None if it has none."""
    found = re.search(rf"^## \[{re.escape(number)}\][^\n]*\n(.*?)(?=^## \[|\Z)", CHANGELOG.read_text(encoding="utf-8"),
                      re.MULTILINE | re.DOTALL)
    return found and found[1].strip()


def prepare(number, program):
    if re.fullmatch(VERSION, number) is None:
        fail(f"{number} is not a version", "write three numbers with points, such as 0.2.0")
    if section(number) is not None:
        fail(f"CHANGELOG.md has a section {number} already", "choose the next version")
    if not section("Unreleased"):
        fail("CHANGELOG.md has nothing under [Unreleased]", "write there what users notice")
    for name, before in PLACES:
        path = ROOT / name
        path.write_text(re.sub(f"({before}){VERSION}", rf"\g<1>{number}", path.read_text(encoding="utf-8"), flags=re.MULTILINE),
                        encoding="utf-8")
    today = datetime.date.today().isoformat()
    text = CHANGELOG.read_text(encoding="utf-8").replace(f" Version {number} is not released yet.", "")
    CHANGELOG.write_text(text.replace("## [Unreleased]\n", f"## [Unreleased]\n\n## [{number}] - {today}\n", 1), encoding="utf-8")
    STORED.write_text(json.dumps({"version": number, **promised(program)}, indent=1) + "\n", encoding="utf-8")


def notes(tag):
    if tag != f"v{version()}":
        fail(f"the tag {tag} is not v{version()}, the version of this tree", "run scripts/release.py, commit, and tag that commit")
    text = section(version())
    if not text:
        fail(f"CHANGELOG.md has no section {version()}", "run scripts/release.py, commit, and tag that commit")
    return text


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    if arguments[0] == "--notes":
        print(notes(arguments[1]))
    elif arguments[0] == "--check":
        found = list(mistakes(arguments[1]))
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    else:
        prepare(*arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
