#!/usr/bin/env python3
# scripts/findings.py: writes reports/findings.md, the summary of adapters/*/findings.md.
"""Usage: findings.py [--check]. With --check it writes nothing; exit status 1 and one line if the summary is out of date."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUMMARY = ROOT / "reports" / "findings.md"
VERDICTS = ("CRASH", "TIMEOUT", "UNSAFE", "LEAK", "FAIL", "found by hand", "WARN")  # the worst first
TITLE = re.compile(r"^# Findings in (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| ([A-Z]{1,2}\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
LINK = re.compile(r"^\[\d+\]: \S+$", re.MULTILINE)
HEAD = """\
<!-- reports/findings.md: the findings in all libraries; scripts/findings.py writes it from adapters/*/findings.md. -->
# Findings

What the suite found on Linux x86-64. Each entry was reproduced without dlpack-cts, and checked against the library's source and the
requirement. The libraries' `expectations.toml` list the same deviations, so that a run reports only new ones as unexpected. FAIL can
corrupt memory or values. WARN does not, with today's libraries. *Invalid input* needs a producer that violates the contract itself.

To reproduce an entry that shows no script: run `dlpack-cts run LIBRARY --select CASE --out OUT`, then
`python OUT/findings/NAME.py` in the environment of the library. The script does not need dlpack-cts.

"No issue known" means that a search of the project's issues and pull requests found nothing. [placement.md](../docs/placement.md)
counts, by hand, which results name the rule that is really violated.

A finding with several verdicts counts under the worst of them. A finding of several libraries counts in each.
"""


def libraries():
    """The folder, the title (name and version) and the text of each library's page, in the order of the folders."""
    for page in sorted((ROOT / "adapters").glob("*/findings.md")):
        text = page.read_text(encoding="utf-8")
        title = TITLE.search(text)
        if title is None:
            sys.exit(f"dlpack-cts: {page.relative_to(ROOT)} has no title\n  hint: begin it with \"# Findings in NAME VERSION\"")
        yield page.parent.name, title[1], text


def severity(row):
    """The place of the worst verdict of a row in VERDICTS."""
    return next((i for i, word in enumerate(VERDICTS) if word in row[3]), len(VERDICTS))


def overview(pages):
    """One row for each library: how many of its findings have which worst verdict."""
    rows = {title: [severity(row) for row in ROW.findall(page)] for _, title, page in pages}
    shown = [i for i in range(len(VERDICTS)) if any(i in row for row in rows.values())]
    text = f"\n| library | findings | {' | '.join(VERDICTS[i] for i in shown)} | only with invalid input |\n"
    text += "|---|" + "--:|" * (len(shown) + 2) + "\n"
    for folder, title, page in pages:
        counts = [str(rows[title].count(i) or "") for i in shown]
        invalid = sum("invalid input" in row[3] for row in ROW.findall(page))
        text += f"| [{title}](../adapters/{folder}/findings.md) | {len(rows[title])} | {' | '.join(counts)} | {invalid or ''} |\n"
    return text


def summary():
    pages = list(libraries())
    text = HEAD + overview(pages)
    for _, title, page in pages:
        text += f"\n## {title}\n\n| | what | rule | verdict | upstream |\n|---|---|---|---|---|\n"
        for row in sorted(ROW.findall(page), key=severity):
            text += f"| {' | '.join(row)} |\n"
    links = sorted({link for _, _, page in pages for link in LINK.findall(page)}, key=lambda link: int(link[1:link.index("]")]))
    used = [link for link in links if f"][{link[1:link.index(']')]}]" in text]
    return text + "\n" + "\n".join(used) + "\n"


def main():
    text = summary()
    if "--check" not in sys.argv[1:]:
        SUMMARY.write_text(text, encoding="utf-8")
    elif not SUMMARY.exists() or SUMMARY.read_text(encoding="utf-8") != text:
        print("reports/findings.md is out of date: run scripts/findings.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
