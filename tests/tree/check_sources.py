# tests/tree/check_sources.py: each source of a rule has a title and a link, and cites lines that the linked file has.
"""Usage: check_sources.py SOURCE_ROOT. Prints one line per violation; exit status 1 when there is any. The lines of dlpack.h are
compared with a real header of 1.3 if the cache folder has one (scripts/headers.sh)."""
import json
import os
import pathlib
import re
import sys
import tomllib

LINES = r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*"
REMARK = r"(?: .+)?"
# A commit or a release, so that lines do not move. HEAD is for a file that is cited without lines.
PINNED = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/blob/(?:[0-9a-f]{40}|v\d[\w.]*)/.+")
# Words that the cited lines of dlpack.h 1.3 contain.
WORDS = {
    "C-DATA-02": "256 bytes", "C-DTYPE-04": "kDLBool", "C-FLAGS-02": "read only", "C-FLAGS-05": "copy made by the producer",
    "C-LAYOUT-01": "byte_offset;", "C-LAYOUT-03": "DLManagedTensorVersioned {", "C-SHAPE-02": "ndim == 0",
    "C-STRIDES-02": "Before DLPack v1.2", "C-SUBBYTE-05": "little bit-endian", "C-VERSION-05": "major != DLPACK_MAJOR_VERSION",
    "XAPI-DLT-03": "liveness", "XAPI-TAB-01": "DLPackManagedTensorAllocator", "XAPI-TAB-03": "DLPackManagedTensorToPyObject",
    "XAPI-TAB-05": "DLPackCurrentWorkStream", "XAPI-USE-01": "Guidelines", "XAPI-VER-03": "must be NULL",
}


def parts(source):
    return [part.strip() for part in source.split(";")]


def violations_of_keys(keys):
    for key, document in keys["documents"].items():
        if not document.get("title") or not document.get("link", "").startswith("https://"):
            yield f"the document {key} has no title or no link"


def violations_of_part(part, keys):
    key = re.match(r"[^:# ]*", part)[0]
    rest = part[len(key):]
    if key in keys["projects"]:
        if not re.fullmatch(r"#\d+(?:,#\d+)*" + REMARK, rest):
            yield f"{part} does not name an issue or a pull request"
    elif key not in keys["documents"]:
        yield f"{part} has no title and no link in sources.json"
    elif rest.startswith(":"):
        if not re.fullmatch(":" + LINES + REMARK, rest):
            yield f"{part} does not name lines"
        if not PINNED.fullmatch(keys["documents"][key]["link"]):
            yield f"{part} names lines of a file without a commit or release"
    elif not re.fullmatch(REMARK, rest):
        yield f"{part} has neither lines nor a remark"


def ranges(lines):
    for one in lines.split(","):
        first, _, last = one.partition("-")
        yield int(first), int(last or first)


def header_of_1_3():
    """The lines of an unchanged dlpack.h of the release, or None."""
    cache = pathlib.Path(os.environ.get("DLPACK_CTS_CACHE") or pathlib.Path.home() / ".cache" / "dlpack-cts")
    for file in sorted(cache.glob("headers/*/dlpack.h")):
        text = file.read_text()
        if re.search(r"define DLPACK_MAJOR_VERSION 1\n.*define DLPACK_MINOR_VERSION 3\n", text, re.DOTALL):
            return text.splitlines()
    return None


def violations_of_lines(rules, header):
    for name, source in rules.items():
        cited = [span for lines in re.findall(rf"\bH13:({LINES})", source) for span in ranges(lines)]
        if any(not 1 <= first <= last <= len(header) for first, last in cited):
            yield f"{name} cites lines that dlpack.h 1.3 does not have: {source}"
        text = "\n".join(line for first, last in cited for line in header[first - 1:last])
        if WORDS.get(name, "") not in text:
            yield f"{name} cites lines of dlpack.h 1.3 without '{WORDS[name]}': {source}"


def main():
    root = pathlib.Path(sys.argv[1])
    keys = json.loads((root / "rules" / "sources.json").read_text())
    rules = {rule["id"]: rule["source"] for file in sorted((root / "rules").glob("*.toml"))
             for rule in tomllib.loads(file.read_text())["rule"]}
    found = [*violations_of_keys(keys)]
    found += [f"{name}: {text}" for name, source in rules.items() for part in parts(source) for text in violations_of_part(part, keys)]
    used = {re.match(r"[^:# ]*", part)[0] for source in rules.values() for part in parts(source)}
    found += [f"no rule uses the key {key}" for key in sorted({*keys["documents"], *keys["projects"]} - used)]
    found += [f"there is no rule {name}" for name in sorted(set(WORDS) - set(rules))]
    header = header_of_1_3()
    if header:
        found += violations_of_lines(rules, header)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
