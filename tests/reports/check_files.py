# tests/reports/check_files.py: other people's parsers read our files: XML, JSON Schema, HTML.
"""Usage: check_files.py WRITE_SAMPLE SCHEMA SARIF_SCHEMA. Writes the sample reports and checks them; exit status 1 on the first mistake."""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from page import check_page

try:
    import jsonschema
except ImportError:
    sys.exit("check_files.py: the Python module jsonschema is missing; install the Debian package python3-jsonschema")

VOID = {"meta", "input", "br"}


class Balanced(html.parser.HTMLParser):
    """Fails on an element that is closed twice, in the wrong order, or never; counts the ids."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        expected = self.open.pop()
        assert expected == tag, f"index.html line {self.getpos()[0]}: </{tag}> closes <{expected}>"


def check_junit(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    for attribute, element in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        for part in [root, *root.iter("testsuite")]:
            number = len(list(part.iter(element)))
            assert int(part.get(attribute)) == number, f"junit.xml: {attribute} is {part.get(attribute)}, there are {number}"


# Fields of a result that are there only where there is anything to say.
OPTIONAL = ("words", "cause")


def check_ndjson(path, schema):
    validator = jsonschema.Draft7Validator(schema)
    validator.check_schema(schema)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines, 1):
        for mistake in validator.iter_errors(line):
            raise AssertionError(f"results.ndjson line {number}: {mistake.message}")
    kinds = [line["type"] for line in lines if line["type"] != "reading"]
    assert kinds == ["header"] + ["result"] * 12 + ["cause"] * 2 + ["footer"]
    # The schema rejects each of these lines, which are wrong in one place.
    good = {name: value for name, value in lines[2].items() if name not in OPTIONAL}
    for field, value in (("verdict", "FAILED"), ("case", 1), ("seed", -1), ("level", "must"), ("surplus", 1), ("ledger", {})):
        assert not validator.is_valid({**good, field: value}), f"the schema accepts {field}={value!r}"
    for field in good:
        assert not validator.is_valid({k: v for k, v in good.items() if k != field}), f"the schema misses no {field}"


def check_sarif(folder, schema):
    """Each deviation of a case is a result, or belongs to a cause that is one; what is listed is suppressed."""
    sarif = json.loads((folder / "results.sarif").read_text(encoding="ascii"))
    jsonschema.Draft7Validator(schema).validate(sarif)
    results = sarif["runs"][0]["results"]
    shown = {result["partialFingerprints"]["dlpackCts/v1"]: result for result in results}
    assert len(shown) == len(results), "results.sarif: two results have one fingerprint"
    lines = [json.loads(line) for line in (folder / "results.ndjson").read_text(encoding="ascii").splitlines()]
    causes = [line for line in lines if line["type"] == "cause"]
    for line in lines:
        if line["type"] != "result" or line["verdict"] in ("PASS", "NOTE", "SKIP", "BLOCKED"):
            continue
        ids = ["case/" + line["case"]] + ["cause/" + cause["id"] for cause in causes if line["case"] in cause["cases"]]
        found = [shown[one] for one in ids if one in shown]
        assert found, f"results.sarif: nothing about {line['case']}"
        unlisted = [cause for cause in causes if line["case"] in cause["cases"] and not cause["as_expected"]]
        if line["as_expected"] and not unlisted:
            assert any("suppressions" in result for result in found), f"results.sarif: {line['case']} is not suppressed"
    known = {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert known <= {result["ruleId"] for result in results}, "results.sarif: a rule that no result names"


def check_badges(folder):
    badge = json.loads((folder / "badge.json").read_text(encoding="utf-8"))
    assert badge["schemaVersion"] == 1 and badge["label"] == "DLPack" and badge["message"] and badge["color"], badge
    picture = xml.etree.ElementTree.parse(folder / "badge.svg").getroot()
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [badge["label"], badge["message"]], texts


def check_html(path):
    parser = Balanced()
    parser.feed(path.read_text(encoding="utf-8"))
    parser.close()
    assert not parser.open, f"index.html: never closed: {parser.open}"
    assert len(parser.ids) == len(set(parser.ids)), "index.html: an id occurs twice"
    # A link leads to an anchor, to a reproducer below the folder, or to a source of a rule.
    inside = [link for link in parser.links if not link.startswith(("findings/", "https://example.org/dlpack.h#L"))]
    dead = [link for link in inside if link[1:] not in parser.ids]
    assert not dead, f"index.html: links to nothing: {dead}"


# What no output may hold as it is: control characters, marks that turn the direction of writing, separators of lines.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
NASTY = ("<script>alert(1)</script>\"'><img src=x onerror=alert(1)>]]>&amp;|`x`[a](javascript:b)\n# title\n| a | b |\r\n"
         "\\|\x1b[2J\x1b]0;title\x07\x00\x7f\x9b31m\u202eevil\u2066\u2028\ufeff caf\xe9 dlpack-cts: \ufffe ")


def poison(line, value, validator):
    """Makes every text in the value hostile that the schema does not limit to some words."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, (dict, list)):
            poison(line, item, validator)
        elif isinstance(item, str) and NASTY not in item and "passwd" not in item:
            value[key] = NASTY
            if not validator.is_valid(line):
                value[key] = item


def hostile(good, schema):
    """Lines of a result file in which every text is one that a library could say, some of them very long."""
    validator = jsonschema.Draft7Validator(schema)
    header, *lines, footer = (dict(line) for line in good)
    results = [line for line in lines if line["type"] == "result"]
    causes = [line for line in lines if line["type"] == "cause"]
    words = dict.fromkeys(("example", "meaning", "wanted", "got"), NASTY)
    footer["stale"] = [NASTY]
    for cause in causes:
        cause.update(dict.fromkeys(("id", "rule", "expectation", "case", "fact", "message", "wanted", "got", "replay"), NASTY),
                     words=words, cases=["a/0/" + NASTY])
    header.update(library="../../x" + NASTY, library_version=NASTY * 50_000, interpreter=NASTY, machine=NASTY,
                  environment=NASTY, command=NASTY, started=NASTY, variables={NASTY: NASTY})
    for i, line in enumerate(results):
        for field in ("message", "wanted", "got", "fact", "expectation", "replay", "library", "library_version", "suite"):
            line[field] = NASTY * (50_000 if i == 1 and field in ("message", "got") else 1)
        line["case"] = f"a/{i}/" + NASTY
        line["words"] = words
        line["rules"] = line["breached"] = [NASTY, "../" * 30 + "etc/passwd"]
        line["reproducer"] = ("../../../etc/passwd", "/etc/passwd", NASTY)[i % 3]
        line["ledger"] = [{"step": 0, "op": NASTY, "seen": NASTY, "slot": 0, "text": NASTY}]
        line["recipe"] = {NASTY: {NASTY: [NASTY]}}
    reading = {"type": "reading", "id": "A-01", "rule": "C-1", "question": "q", "shown": [{"words": "w", "count": 1}]}
    lines = [header, *results, *causes, reading, footer]
    for line in lines:
        poison(line, line, validator)
    return lines


def check_tables(report):
    """Each row of a table in Markdown has as many cells as its title."""
    bars = 0
    for line in report.splitlines():
        if not line.startswith("|"):
            bars = 0
            continue
        number = len(re.findall(r"\\.|\|", line)) - len(re.findall(r"\\.", line))
        assert bars in (0, number), f"report.md: {number} bars instead of {bars} in {line!a}"
        bars = number


def check_hostile(program, folder, schema):
    good = [json.loads(line) for line in (folder / "results.ndjson").read_text(encoding="utf-8").splitlines()]
    source, out = folder / "hostile.ndjson", folder / "hostile"
    source.write_text("".join(json.dumps(line) + "\n" for line in hostile(good, schema)), encoding="ascii")
    tree = subprocess.run([program, out, source], check=True, capture_output=True).stdout
    check_junit(out / "junit.xml")
    check_ndjson(out / "results.ndjson", schema)
    check_html(out / "index.html")
    check_badges(out)
    for name, data in [("the terminal", tree)] + [(path.name, path.read_bytes()) for path in sorted(out.iterdir())]:
        text = data.decode("utf-8")
        found = RAW.search(text)
        assert not found, f"{name} holds {found.group()!a} raw: {text[max(0, found.start() - 60):found.end()]!a}"
        assert len(data) < 4_000_000, f"{name} has {len(data)} bytes"
        assert "root:x:0:0" not in text, f"{name} shows another file"
        if name in ("the terminal", "report.md"):
            ours = [line for line in text.splitlines() if line.startswith(("# title", "| a |"))]
            assert not ours, f"{name} holds a line of a library: {ours[0]!a}"
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count("<script>") == 1 and "<img" not in page, "index.html holds a library's element"
    report = (out / "report.md").read_text(encoding="utf-8")
    check_tables(report)
    without_code = re.sub(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", "", report)
    assert not re.search(r"(?<!\\)(<(script|img)|\]\()", without_code), "report.md holds a library's element or link"
    # A lone surrogate and a byte outside UTF-8 are not valid JSON. Such a file is refused, and no report is written.
    for bad in (b"\\ud800", b"\xff"):
        source.write_bytes(json.dumps(good[0]).encode().replace(b"dlpack-cts run", b"dlpack-cts " + bad + b"run") + b"\n")
        ran = subprocess.run([program, folder / "refused", source], capture_output=True, check=False)
        assert ran.returncode == 1 and b"line 1: this is not valid JSON" in ran.stderr, ran.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True, stdout=subprocess.DEVNULL)
        schema = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
        check_junit(pathlib.Path(folder, "junit.xml"))
        check_ndjson(pathlib.Path(folder, "results.ndjson"), schema)
        check_html(pathlib.Path(folder, "index.html"))
        lines = [json.loads(line) for line in pathlib.Path(folder, "results.ndjson").read_text(encoding="ascii").splitlines()]
        check_page(pathlib.Path(folder, "index.html"), [line for line in lines if line["type"] == "result"])
        check_sarif(pathlib.Path(folder), json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")))
        check_badges(pathlib.Path(folder))
        check_hostile(sys.argv[1], pathlib.Path(folder), schema)


if __name__ == "__main__":
    main()
