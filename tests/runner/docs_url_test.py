# tests/runner/docs_url_test.py: DLPACK_CTS_DOCS_URL leads from a rule in a report to its section of docs/rules.
import json
import pathlib
import re
import tempfile
import unittest

import program

DOCS = program.TESTS.parent / "docs"
VARIABLE = "DLPACK_CTS_DOCS_URL"
URL = "https://docs.example/dlpack-cts/docs"
SELECT = ("c-abi/flags/unknown-flags-are-noticed", "c-abi/flags/copy-is-flagged")


class DocsUrl(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def rules(self):
        driver = json.loads((self.out / "results.sarif").read_text())["runs"][0]["tool"]["driver"]
        return driver["rules"]

    def test_every_link_leads_to_the_section_of_its_rule(self):
        ran, _ = program.judge("segfault", select=SELECT, more=["--sweep", 0, "--out", self.out], environment={VARIABLE: URL + "/"})
        self.assertEqual(ran.status, 1, ran.err)
        self.assertGreater(len(self.rules()), 1)
        page = (self.out / "index.html").read_text()
        for rule in self.rules():
            file, anchor = re.fullmatch(re.escape(URL) + "/(.*)#(.*)", rule["helpUri"]).groups()
            self.assertIn(f"\n## {rule['id']}\n", (DOCS / file).read_text())
            self.assertEqual(anchor, rule["id"].lower())
            # The page lists only the rules of the cases that ran.
            link = f'<a href="{rule["helpUri"]}"><b>{rule["id"]}</b></a>'
            self.assertEqual(link in page, f'id="rule:{rule["id"]}"' in page, rule["id"])
        self.assertIn(f'<a href="{URL}/rules/c-flags.md#c-flags-05">', page)
        section = "https://docs.example/dlpack-cts/CONTRIBUTING.md#i-think-that-a-finding-is-wrong"
        self.assertIn(f'<a href="{section}">', page)
        self.assertIn(f"[CONTRIBUTING.md]({section})", (self.out / "report.md").read_text())
        self.assertIn("\n## I think that a finding is wrong\n", (DOCS.parent / "CONTRIBUTING.md").read_text())

    def test_without_an_address_there_is_no_link(self):
        for value in ("", "docs", "javascript:alert(1)"):
            program.judge("segfault", select=SELECT, more=["--sweep", 0, "--out", self.out], environment={VARIABLE: value})
            self.assertTrue(all("helpUri" not in rule for rule in self.rules()))
            self.assertNotIn("/rules/c-", (self.out / "index.html").read_text())

    def test_a_report_of_stored_results_has_the_links_too(self):
        program.judge("segfault", select=SELECT, more=["--sweep", 0, "--out", self.out])
        ran = program.run("report", self.out, "--out", self.out, environment={VARIABLE: URL})
        self.assertEqual(ran.status, 1, ran.err)
        self.assertTrue(all(rule["helpUri"].startswith(URL + "/rules/") for rule in self.rules()))


if __name__ == "__main__":
    unittest.main()
