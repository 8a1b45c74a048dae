# scripts/rule_pages.py: writes docs/rules/: a page for each chapter of rules/, with an anchor for each rule.
"""Usage: rule_pages.py PROGRAM [--check]. PROGRAM is dlpack-cts, which knows the cases and mutants. With --check nothing is written,
and the exit status is 1 if a page is not up to date."""
import json
import pathlib
import re
import subprocess
import sys
import tomllib

TREE = pathlib.Path(__file__).resolve().parent.parent
PAGES = TREE / "docs" / "rules"
LINES = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*")
MARKS = re.compile(r"[\\*<\[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # what Markdown would not print


def escaped(text):
    """Text in a cell of a table. Code stays as it is, except for the separator of cells."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    plain = [part if part.startswith("`") else MARKS.sub(r"\\\g<0>", part) for part in parts]
    return "".join(plain).replace("|", r"\|")


def code(names):
    return ", ".join(f"`{name}`" for name in names)


def document_of(key, lines, keys):
    """A link to these lines of a document: "97-106,120". A page marks one range, so the link is to the first one."""
    title, link = keys["documents"][key]["title"], keys["documents"][key]["link"]
    if not lines:
        return f"[{escaped(title)}]({link})"
    first, last = re.match(r"(\d+)(?:-(\d+))?", lines).groups()
    text = title + (", lines " if re.search("[-,]", lines) else ", line ") + lines
    return f"[{escaped(text)}]({link}#L{first}{'-L' + last if last else ''})"


def source_of(part, keys):
    """A part of the field source: "H13:97-106" and "numpy#123" become links, and a remark stays behind them."""
    key, mark, place = re.fullmatch(r"([^:# ]*)([:# ]?)(.*)", part).groups()
    if mark == "#" and key in keys["projects"]:
        project, number = keys["projects"][key], re.match(r"\d+", place)[0]
        return f"[{escaped(project + '#' + number)}](https://github.com/{project}/issues/{number})" + escaped_rest(place[len(number):])
    if key not in keys["documents"]:
        return escaped(part)
    lines = LINES.match(place)[0] if mark == ":" else ""
    return document_of(key, lines, keys) + (escaped_rest(place[len(lines):]) if mark == ":" else escaped_rest(mark + place))


def escaped_rest(text):
    """What follows a link, with the blank before it."""
    return (" " if text.startswith(" ") else "") + escaped(text)


def sentence(text, keys):
    """A sentence in which each document that is cited with lines is a link."""
    found = re.search(rf"(?<![\w-])({'|'.join(keys['documents'])}):({LINES.pattern})", text)
    if not found:
        return escaped_rest(text) + (" " if text.endswith(" ") else "")
    return sentence(text[:found.start()], keys) + document_of(found[1], found[2], keys) + sentence(text[found.end():], keys)


def rows_of(rule, listed, keys):
    strength = rule["strength"] + (f" ({rule['basis']})" if rule.get("basis") else "")
    return [
        ("about", escaped(f"{rule['actor']}; {rule['level']}; versions: {rule['versions']}")),
        ("strength", escaped(f"{strength}; at stake: {rule['stake']}; a violation counts as {rule['breach']}")),
        ("source", "; ".join(source_of(part, keys) for part in re.split(r"; *", rule["source"]) if part)),
        ("also conforms", "<br>".join(sentence(text, keys).strip() for text in rule.get("accept", []))),
        ("false alarm to avoid", sentence(rule.get("trap", ""), keys).strip()),
        ("note", sentence(rule.get("note", ""), keys).strip()),
        ("status", escaped(listed["status"] + (f": {rule['reason']}" if rule.get("reason") else ""))),
        ("cases", code(listed["cases"])),
        ("mutants", code(listed["mutants"])),
    ]


def page_of(name, rules, listed, keys):
    lines = [f"<!-- docs/rules/{name}: the rules of rules/{name[:-3]}.toml, written by scripts/rule_pages.py. -->",
             f"# Rules {rules[0]['id'].rsplit('-', 1)[0]}", "",
             "[rules/README.md](../../rules/README.md) explains the words, and [docs/results.md](../results.md) the verdicts."]
    for rule in rules:
        lines += ["", f"## {rule['id']}", "", escaped(rule["requirement"]), "", "| | |", "|---|---|"]
        lines += [f"| {key} | {text} |" for key, text in rows_of(rule, listed[rule["id"]], keys) if text]
    return "\n".join(lines) + "\n"


def pages(program):
    answer = subprocess.run([program, "list", "rules", "--json"], capture_output=True, text=True, check=True).stdout
    listed = {rule["id"]: rule for rule in json.loads(answer)}
    keys = json.loads((TREE / "rules" / "sources.json").read_text())
    for file in sorted((TREE / "rules").glob("*.toml")):
        name = file.stem + ".md"
        yield name, page_of(name, tomllib.loads(file.read_text())["rule"], listed, keys)


def main(program, check=False):
    written = dict(pages(program))
    there = {page.name: page.read_text() for page in PAGES.glob("*.md")}
    if check:
        old = [name for name in sorted({*written, *there}) if written.get(name) != there.get(name)]
        for name in old:
            print(f"docs/rules/{name} is not up to date: run python3 scripts/rule_pages.py build/release/dlpack-cts")
        return 1 if old else 0
    PAGES.mkdir(exist_ok=True)
    for name in set(there) - set(written):
        (PAGES / name).unlink()
    for name, text in written.items():
        (PAGES / name).write_text(text)
    return 0


if __name__ == "__main__":
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    sys.exit(main(arguments[0], "--check" in sys.argv) if len(arguments) == 1 else __doc__)
