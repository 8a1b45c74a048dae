# tests/reports/check_files.py: other people's parsers read our files: XML, JSON Schema, HTML.
"""Usage: check_files.py WRITE_SAMPLE SCHEMA. Writes the sample reports and checks them; exit status 1 on the first mistake."""
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

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


def check_ndjson(path, schema):
    validator = jsonschema.Draft7Validator(schema)
    validator.check_schema(schema)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines, 1):
        for mistake in validator.iter_errors(line):
            raise AssertionError(f"results.ndjson line {number}: {mistake.message}")
    assert [line["type"] for line in lines] == ["header"] + ["result"] * (len(lines) - 2) + ["footer"]
    # The schema is no rubber stamp: each of these lines is wrong in one place.
    good = lines[2]
    for field, value in (("verdict", "FAILED"), ("case", 1), ("seed", -1), ("level", "must"), ("surplus", 1), ("ledger", {})):
        assert not validator.is_valid({**good, field: value}), f"the schema accepts {field}={value!r}"
    for field in good:
        assert not validator.is_valid({k: v for k, v in good.items() if k != field}), f"the schema misses no {field}"


def check_html(path):
    parser = Balanced()
    parser.feed(path.read_text(encoding="utf-8"))
    parser.close()
    assert not parser.open, f"index.html: never closed: {parser.open}"
    assert len(parser.ids) == len(set(parser.ids)), "index.html: an id occurs twice"
    dead = [link for link in parser.links if link[1:] not in parser.ids]
    assert not dead, f"index.html: links to nothing: {dead}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True, stdout=subprocess.DEVNULL)
        schema = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
        check_junit(pathlib.Path(folder, "junit.xml"))
        check_ndjson(pathlib.Path(folder, "results.ndjson"), schema)
        check_html(pathlib.Path(folder, "index.html"))


if __name__ == "__main__":
    main()
