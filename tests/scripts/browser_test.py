# tests/scripts/browser_test.py: the site and the page of a run in Chromium: they fit, read well, and find what they say.
"""Usage: browser_test.py SOURCE_ROOT PROGRAM WRITE_SAMPLE. Exit status 77 if this machine cannot show pages."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from stored_site import write_site

ROOT, PROGRAM, SAMPLE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
sys.path.insert(0, str(ROOT / "scripts/lib"))
import browser as browsers  # noqa: E402: the line above says where it is

MOST = 1_000_000
SHOWN = "return [...document.querySelectorAll(arguments[0])].filter(e => !e.closest('[hidden]')).map(e => e.dataset)"
SET = """const e = document.querySelector(arguments[0]);
if (e.type === 'checkbox') e.checked = true; else e.value = arguments[1];
e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true}));"""
MISTAKES = """<!DOCTYPE html><html lang="en"><title>Mistakes</title><style>@media print{div{width:2000px}}
@media(max-width:500px){div{width:600px}}@media(prefers-color-scheme:dark){body{background:#111;color:#222}}</style>
<main><h1>Mistakes</h1><div>A sentence.</div></main></html>"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.site = cls.folder / "site"
        write_site(ROOT, PROGRAM, cls.site)
        for command in ([PROGRAM, "run", "reference", "--out", cls.folder / "run"], [SAMPLE, cls.folder / "sample"]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            assert done.returncode == 0, done.stderr
        cls.run_page = cls.folder / "run/index.html"
        # The sample has a failure of each kind; the reference has none.
        cls.run_pages = [cls.run_page, cls.folder / "sample/index.html"]
        cls.site_pages = sorted(cls.site.rglob("*.html"))
        cls.browser = browsers.Browser()
        cls.addClassCleanup(cls.browser.close)

    def pages(self):
        """Every page, with the way in which it is printed."""
        for page in self.site_pages:
            yield page, "printed across"
        for page in self.run_pages:
            yield page, "printed upright"

    def shown(self, selector=".row"):
        return self.browser.run(SHOWN, selector)

    def set(self, selector, value=""):
        self.browser.run(SET, selector, value)

    def state(self):
        return urllib.parse.parse_qs(urllib.parse.urlsplit(self.browser.driver.current_url).fragment)

    def count(self):
        return self.browser.run("return document.getElementById('shown').textContent")

    def test_pages_are_small(self):
        for page, _ in self.pages():
            self.assertLess(page.stat().st_size, MOST, page.relative_to(self.folder))

    def test_pages_fit_and_the_accessibility_checker_finds_nothing(self):
        # The checker needs seconds for a large page. The longest page of a library stands for the others in the other modes.
        libraries = [page for page in self.site_pages if page.parent.name == "libraries"]
        longest = max(libraries, key=lambda page: page.stat().st_size)
        seldom = [self.run_page, *(page for page in libraries if page != longest)]
        for page, printed in self.pages():
            for mode in ("wide", "narrow", "dark", printed):
                with self.subTest(f"{page.relative_to(self.folder)}, {mode}"):
                    self.browser.look(mode)
                    self.browser.open(page)
                    self.assertEqual(self.browser.overflow(), 0, "wider than its window or paper")
                    self.browser.open_all_details()
                    self.assertEqual(self.browser.overflow(), 0, "wider with every part unfolded")
                    if page == self.run_page:  # with as many parts as cases: the folded page is checked
                        self.browser.open(page)
                    if mode == "wide" or page not in seldom:
                        self.assertEqual(self.browser.violations(), [])

    def test_paper_is_light_where_the_screen_is_dark(self):
        for page in (self.site / "index.html", self.run_page):
            self.browser.open(page)
            inks = []
            for mode, scheme in (("wide", "light"), ("dark", "dark"), ("printed upright", "dark")):
                self.browser.look(mode, scheme=scheme)
                inks.append(self.browser.run("return getComputedStyle(document.body).color"))
            self.assertEqual(inks[0], inks[2], page)
            self.assertNotEqual(inks[0], inks[1], page)

    def test_these_tests_see_planted_mistakes(self):
        page = self.folder / "mistakes.html"
        page.write_text(MISTAKES, encoding="utf-8")
        for mode, wide, dark in (("wide", False, False), ("narrow", True, False), ("dark", False, True),
                                 ("printed across", True, False), ("printed upright", True, False)):
            self.browser.look(mode)
            self.browser.open(page)
            self.assertEqual(self.browser.overflow() > 0, wide, mode)
            self.assertEqual(any("color-contrast" in line for line in self.browser.violations()), dark, mode)

    def test_the_search_of_the_libraries_finds_what_it_says(self):
        self.browser.look("wide")
        self.browser.open(self.site / "index.html")
        everything = self.shown()
        self.assertGreater(len(everything), 10)
        self.assertEqual(self.count(), f"{len(everything)} of {len(everything)} shown")
        self.set("[name=find]", "NumPy")
        found = self.shown()
        self.assertEqual([row["name"] for row in found], [row["name"] for row in everything if "numpy" in row["words"].lower()])
        self.assertTrue(any(row["name"].startswith("numpy ") for row in found))
        self.assertEqual(self.count(), f"{len(found)} of {len(everything)} shown")
        self.assertEqual(self.state(), {"find": ["NumPy"]})

    def test_libraries_are_sorted_and_filtered_and_the_address_restores_it(self):
        self.browser.look("wide")
        self.browser.open(self.site / "index.html")
        everything = self.shown()
        self.assertEqual([int(row["place"]) for row in everything], list(range(len(everything))))
        self.set("[name=sort]", "name")
        self.set("[name=word]", "conforms")
        found = self.shown()
        self.assertEqual([row["name"] for row in found], sorted(
            (row["name"] for row in everything if row["word"] == "conforms"), key=str.lower))
        self.assertTrue(0 < len(found) < len(everything))
        self.assertEqual(self.state(), {"sort": ["name"], "word": ["conforms"]})
        fragment = urllib.parse.urlsplit(self.browser.driver.current_url).fragment
        self.browser.open(self.site / "index.html", fragment)
        self.assertEqual(self.shown(), found)

    def test_rules_are_filtered_by_each_field_and_the_address_restores_it(self):
        self.browser.look("wide")
        self.browser.open(self.site / "rules.html")
        everything = self.shown()
        for field, value in (("role", "consumer"), ("chapter", "C-STRIDES"), ("severity", "WARN")):
            self.browser.open(self.site / "rules.html")
            self.set(f"[name={field}]", value)
            found = self.shown()
            self.assertEqual(found, [row for row in everything if value in row[field].split()], field)
            self.assertTrue(0 < len(found) < len(everything), field)
        self.set("[name=violated]")
        self.set("[name=find]", "producer C-")
        found = self.shown()
        self.assertEqual(found, [row for row in everything if row["severity"] == "WARN" and row["violated"] == "1" and
                                 all(word in row["words"].lower() for word in ("producer", "c-"))])
        self.assertGreater(len(found), 0)
        self.assertEqual(self.state(), {"severity": ["WARN"], "violated": ["1"], "find": ["producer C-"]})
        self.browser.driver.refresh()
        self.assertEqual(self.shown(), found)
        # A chapter without a rule that is shown has no heading either.
        headings = self.browser.run("return [...document.querySelectorAll('.group')].filter(e => !e.hidden).map(e => e.id)")
        self.assertEqual(headings, list(dict.fromkeys(row["chapter"] for row in found)))

    def test_a_link_to_a_rule_shows_it_also_where_a_filter_hides_it(self):
        self.browser.look("wide")
        self.browser.open(self.site / "rules.html", "chapter=C-DATA")
        self.browser.run("location.hash = 'C-STRIDES-03'")
        seen = self.browser.driver.execute_async_script("""const done = arguments[0];
            requestAnimationFrame(() => requestAnimationFrame(() => {
              const box = document.getElementById('C-STRIDES-03').getBoundingClientRect();
              done([box.height, box.top, innerHeight]); }));""")
        self.assertGreater(seen[0], 0)
        self.assertTrue(0 <= seen[1] < seen[2], seen)

    def test_the_search_of_every_page_finds_each_word_of_its_first_row(self):
        self.browser.look("wide")
        for page in self.site_pages:
            self.browser.open(page)
            if not self.browser.run("return Boolean(document.querySelector('#filter [name=find]'))"):
                continue
            with self.subTest(str(page.relative_to(self.folder))):
                rows = len(self.shown())
                words = self.browser.run("return document.querySelector('.row').words")
                self.set("[name=find]", words)
                self.assertGreaterEqual(len(self.shown()), 1)
                self.set("[name=find]", "no page has this word")
                self.assertEqual(self.shown(), [])
                self.set("[name=find]", "")
                self.assertEqual(len(self.shown()), rows)

    def test_the_page_of_a_run_finds_cases_by_word_and_verdict(self):
        self.browser.look("wide")
        self.browser.open(self.run_page)
        everything = self.shown(".case")
        self.set("#find", "byte-offset")
        found = self.shown(".case")
        self.assertEqual([case["t"] for case in found], [case["t"] for case in everything if "byte-offset" in case["t"].lower()])
        self.assertTrue(0 < len(found) < len(everything))
        self.set("#find", "")
        self.browser.run("document.querySelector('.chip[data-v=SKIP]').click()")
        skipped = self.shown(".case")
        self.assertEqual(skipped, [case for case in everything if case["v"] == "SKIP"])
        self.assertTrue(self.count().startswith(f"{len(skipped)} of "), self.count())
        self.browser.run("document.getElementById('all').click()")
        self.assertEqual(self.shown(".case"), everything)


if __name__ == "__main__":
    reason = browsers.missing()
    if reason and os.environ.get("DLPACK_CTS_BROWSER_MUST_RUN"):
        sys.exit(f"browser_test.py: {reason}")
    if reason:
        print(f"skipped: {reason}; scripts/test.sh --browser installs what this test needs")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
