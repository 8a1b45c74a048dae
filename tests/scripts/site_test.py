# tests/scripts/site_test.py: the site of the stored results: every link leads somewhere, nothing is loaded, data is valid.
"""Usage: site_test.py SOURCE_ROOT PROGRAM"""
import html.parser
import json
import pathlib
import sys
import tempfile
import unittest
import urllib.parse

try:
    import jsonschema
except ImportError:
    sys.exit("site_test.py: the Python module jsonschema is missing; install the Debian package python3-jsonschema")

from stored_site import stored_results, write_site

ROOT, PROGRAM = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MOST = 1_000_000
MOST_STORED = 125_000


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.text = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids += [values["id"]] if "id" in values else []
        if tag == "a":
            self.links.append(values["href"])
        self.loaded += [value for name, value in attributes if name == "src" or (name == "href" and tag == "link")]

    def handle_data(self, data):
        self.text += data


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stored = stored_results(ROOT)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.site = pathlib.Path(cls.folder.name)
        write_site(ROOT, PROGRAM, cls.site)
        cls.pages = {path: Page(path.read_text(encoding="utf-8")) for path in cls.site.rglob("*.html")}
        cls.data = json.loads((cls.site / "site.json").read_text(encoding="utf-8"))

    def test_each_stored_library_has_a_page_and_badges(self):
        self.assertGreater(len(self.stored), 10)
        for stored in self.stored:
            for ending in (".html", ".svg", ".json"):
                self.assertTrue((self.site / "libraries" / (stored.stem + ending)).is_file(), stored.stem + ending)
        self.assertEqual(len(self.data["libraries"]), len(self.stored))

    def test_each_link_leads_to_a_file_and_an_anchor_or_to_a_source(self):
        keys = json.loads((ROOT / "rules" / "sources.json").read_text(encoding="utf-8"))
        sources = (*(document["link"] for document in keys["documents"].values()),
                   *(f"https://github.com/{project}/issues/" for project in keys["projects"].values()))
        for path, page in self.pages.items():
            self.assertEqual(len(page.ids), len(set(page.ids)), f"{path}: an id occurs twice")
            for link in page.links:
                if link.startswith(sources):
                    continue
                parts = urllib.parse.urlsplit(link)
                self.assertFalse(parts.scheme or parts.netloc, f"{path}: {link}")
                goal = (path.parent / parts.path).resolve() if parts.path else path.resolve()
                self.assertTrue(goal.is_file(), f"{path}: {link}")
                if parts.fragment:
                    known = next(p for q, p in self.pages.items() if q.resolve() == goal).ids
                    self.assertIn(parts.fragment, known, f"{path}: {link}")

    def test_code_in_the_text_of_rules_is_marked(self):
        page = self.pages[self.site / "rules.html"]
        self.assertIn("strides must be non-NULL", " ".join(page.text.split()))
        self.assertNotIn("`", page.text.split("Requirement", 1)[1].split('"use strict"')[0])

    def test_pages_are_small_and_load_nothing(self):
        for path, page in self.pages.items():
            self.assertLess(path.stat().st_size, MOST, path)
            self.assertEqual(page.loaded, [], path)

    def test_stored_results_are_small_and_name_no_folder_of_a_machine(self):
        for stored in [*self.stored, *(ROOT / "reports/history").glob("*.ndjson")]:
            self.assertLess(stored.stat().st_size, MOST_STORED, stored)
            # Messages of Open3D name the folder where its wheel was built.
            text = stored.read_text(encoding="utf-8").replace("/root/Open3D/", "")
            for folder in ("/home/", "/root/", "/tmp/"):
                self.assertNotIn(folder, text, stored)

    def test_each_stored_pair_has_a_cell_and_what_happened(self):
        stored = [json.loads(line) for line in (ROOT / "reports/results/pairs.ndjson").read_text(encoding="utf-8").splitlines()]
        cells = [line for line in stored if line["type"] == "pair"]
        self.assertGreater(len(cells), 100)
        self.assertEqual(len(self.data["pairs"]), len(cells))
        page = self.pages[self.site / "pairs.html"]
        for cell in cells:
            pair = f"{cell['producer']}-to-{cell['consumer']}"
            self.assertIn(pair, page.ids)
            self.assertIn("#" + pair, page.links)
            if cell["state"] in ("refuses", "not installable together", "not tested"):
                self.assertTrue(cell["why"], pair)
            if cell["state"] in ("wrong", "crashes"):
                self.assertTrue(all(cause["sentence"] for cause in cell["causes"]) and cell["causes"], pair)

    def test_data_follows_the_schema(self):
        schema = json.loads((ROOT / "reports/site/site.schema.json").read_text(encoding="utf-8"))
        jsonschema.validate(self.data, schema)

    def test_what_was_not_judged_is_never_shown_as_held(self):
        rows = {rule["id"] for rule in self.data["rules"]}
        for library in self.data["libraries"]:
            judged = [rule for rule, state in library["rules"].items()
                      if state["verdict"] not in ("SKIP", "BLOCKED") and not state["invalid_input"]]
            self.assertEqual(library["rules_judged"], len(judged), library["library"])
            self.assertLessEqual(set(library["rules"]), rows)
            for feature, answer in library["features"].items():
                if answer["answer"] == "unknown":
                    self.assertTrue(answer["why"], f"{library['library']}: {feature}")

    def test_history_has_each_stored_release_and_begins_features_at_one_of_them(self):
        histories = {path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1:]
                     for path in (ROOT / "reports/history").glob("*.ndjson")}
        self.assertGreater(sum(map(len, histories.values())), 50)
        for library in self.data["libraries"]:
            stored = histories.get(library["library"], [])
            shown = library["history"]["releases"]
            self.assertEqual([one["version"] for one in shown], [one["version"] for one in stored])
            judged = [one["version"] for one in stored if "reason" not in one]
            self.assertEqual([one["version"] for one in shown if "not_judged" not in one], judged)
            for feature, span in library["history"]["features"].items():
                self.assertEqual(len({"since", "lost"} & set(span)), 1, feature)
                self.assertIn(span.get("since") or span.get("lost"), judged)
            page = self.site / library["page"]
            self.assertEqual("history" in self.pages[page].ids, bool(stored))

    def test_numpy_gained_its_keywords_in_2_1(self):
        features = next(one for one in self.data["libraries"] if one["library"] == "numpy")["history"]["features"]
        for feature in ("import-versioned", "export-max-version", "export-copy-true"):
            self.assertEqual(features[feature]["since"], "2.1.3", feature)
        self.assertEqual(features["import-legacy"]["since"], "1.23.5")

    def test_answers_are_those_of_the_results(self):
        answers = {(library["library"], feature): answer["answer"]
                   for library in self.data["libraries"] for feature, answer in library["features"].items()}
        self.assertEqual(answers["numpy", "import-versioned"], "yes")
        self.assertEqual(answers["numpy", "import-bfloat16"], "no")
        self.assertEqual(answers["numpy", "table-published"], "unknown")
        self.assertEqual(answers["torch", "table-published"], "yes")
        self.assertEqual(answers["warp", "import-byte-offset"], "wrong")
        self.assertEqual(answers["mpi4py", "export-versioned"], "unknown")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
