#!/usr/bin/env python3
"""scripts/plain_words.py: finds words that scripts/plain_words.toml asks to avoid, in texts, comments and string literals.

Usage: scripts/plain_words.py [FILE...]
  FILE   check these files only; without one, every file that git tracks
Exit status: 0 no hit, 1 at least one hit, 2 plain_words.toml or an argument is wrong.
"""
import io
import pathlib
import re
import subprocess
import sys
import tokenize
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = "scripts/plain_words.toml"
MOST_EXCEPTIONS = 10
CODE = (".cc", ".h", ".c")
WHOLE = (".md", ".toml", ".sh", ".json", ".cmake", ".txt", ".in")

# A comment, a raw string, a string or a character, whichever begins first.
CXX = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)"""
    r"""|R"(?P<delimiter>[^(\s]*)\((?P<raw>.*?)\)(?P=delimiter)\""""
    r"""|"(?P<string>(?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)*'""",
    re.S,
)


def fail(what, hint):
    print(f"dlpack-cts: {what}\n  hint: {hint}", file=sys.stderr)
    sys.exit(2)


def joined(pieces):
    """Pieces that follow each other with nothing but space between them are one text: a phrase may be split."""
    texts = []
    for line, text, begin, end, between in pieces:
        if texts and between.strip() == "":
            texts[-1][1].append((line, text))
        else:
            texts.append((line, [(line, text)]))
    return [parts for _, parts in texts]


def cxx_texts(source):
    """Comments and string literals of C++, each a list of (line, text)."""
    found = {"comment": [], "string": []}
    ends = {"comment": 0, "string": 0}
    for match in CXX.finditer(source):
        kind = "comment" if match["comment"] is not None else "string"
        text = match["comment"] or match["raw"] or match["string"]
        if text is None:
            continue
        if kind == "comment":
            text = re.sub(r"^\s*(//+/?|/\*+|\*)", "", text, flags=re.M)
        line = source.count("\n", 0, match.start()) + 1
        found[kind].append((line, text, match.start(), match.end(), source[ends[kind] : match.start()]))
        ends[kind] = match.end()
    return joined(found["comment"]), joined(found["string"])


def python_texts(source):
    """Comments and string literals of Python. Docstrings count as strings: scripts print them."""
    comments, strings = [], []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                comments.append((token.start[0], token.string.lstrip("# "), 0, 0, ""))
            elif token.type in (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)):
                strings.append([(token.start[0], token.string)])
    except (tokenize.TokenError, SyntaxError):
        return [], [[(1, source)]]  # broken on purpose, in the tests
    runs = []
    for piece in comments:
        if runs and piece[0] == runs[-1][-1][0] + 1:
            runs[-1].append(piece[:2])
        else:
            runs.append([piece[:2]])
    return runs, strings


def texts_of(path, source):
    """The comments of a file and its other texts."""
    if path.endswith(CODE):
        return cxx_texts(source)
    if path.endswith(".py"):
        return python_texts(source)
    if path.endswith(WHOLE) or path == ".ci/run":
        return [], [[(number, line) for number, line in enumerate(source.splitlines(), 1)]]
    return [], []


def hits_of(parts, avoid, exceptions, used):
    """(line, matched text, what to write) of each match, also where a phrase goes on in the next line.

    An exception is a name that may not change, so it counts only where it is quoted: alone in a literal, as the name of a TOML
    table, or between quotation marks."""
    text, starts = "", []
    for line, part in parts:
        for name in exceptions:
            quoted = re.escape(name)
            part, count = re.subn(rf"""\A[rbf]?["'[]?{quoted}["'\]]?\Z|[`"']{quoted}[`"']""", "", part)
            if count:
                used.add(name)
        for offset, piece in enumerate(part.split("\n")):
            starts.append((len(text), line + offset))
            text += re.sub(r"^[ \t#>*|-]+|[ \t\\]+$", "", piece) + " "
    for pattern, write in avoid:
        for match in pattern.finditer(text):
            yield max(line for start, line in starts if start <= match.start()), match[0], write


def read_rules():
    try:
        rules = tomllib.loads((ROOT / RULES).read_text())
        avoid = [(re.compile(row["pattern"], re.I), row["write"]) for row in rules["avoid"]]
        exceptions = {row["name"]: row["why"] for row in rules.get("exception", [])}
        not_rewritten = set(rules["not_rewritten"]["comments"])
    except (tomllib.TOMLDecodeError, KeyError, re.error) as error:
        fail(f"{RULES} cannot be read: {error}", "the comments in that file show the form of each table")
    if len(exceptions) > MOST_EXCEPTIONS:
        fail(f"{RULES} has {len(exceptions)} exceptions, and may have {MOST_EXCEPTIONS}", "rewrite a sentence instead")
    return avoid, exceptions, not_rewritten


def main(arguments):
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    avoid, exceptions, not_rewritten = read_rules()
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    files = [str(pathlib.Path(name).resolve().relative_to(ROOT)) for name in arguments] or tracked
    used, clean_comments, count = set(), set(), 0
    for path in files:
        if path == RULES or not (ROOT / path).is_file():
            continue
        try:
            comments, others = texts_of(path, (ROOT / path).read_text())
        except UnicodeDecodeError:
            continue  # an input of a test
        in_comments = [hit for parts in comments for hit in hits_of(parts, avoid, exceptions, used)]
        if path in not_rewritten:
            if not in_comments:
                clean_comments.add(path)
            in_comments = []
        in_others = [hit for parts in others for hit in hits_of(parts, avoid, exceptions, used)]
        for line, text, write in sorted(in_comments + in_others):
            print(f'{path}:{line}: "{text}": write: {write}')
            count += 1
    if not arguments:
        for name in sorted(exceptions.keys() - used):
            print(f'{RULES}: the exception "{name}" is not needed any more')
            count += 1
        for path in sorted(clean_comments | (not_rewritten - set(tracked))):
            print(f"{RULES}: not_rewritten names {path}, which has no hit any more")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
