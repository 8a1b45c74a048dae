# tests/reports/page.py: what a person sees of index.html, and what the numbers and the search of the page promise.
import html.parser
import re


class Page(html.parser.HTMLParser):
    """What a person sees of index.html: the cards, the buttons of the filter, each case's line, the lists that lead."""

    def __init__(self):
        super().__init__()
        self.cards, self.chips, self.lines, self.lists, self.titles = {}, {}, [], [], []
        self.inside, self.value, self.opened = None, "", None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        css = values.get("class", "").split()
        if "card" in css and "wide" not in css:
            self.inside, self.value = "card", ""
        elif "chip" in css:
            self.inside = "chip"
        elif "case" in css:
            self.lines.append({"chip": values["data-v"], "text": values["data-t"] + " "})
        elif tag == "summary" and self.opened == "case":
            self.inside = "line"
        elif tag == "ul" and "broke" in css:
            self.lists.append([])
        elif tag == "h2":
            self.inside = "title"
        elif "v" in css and self.opened == "li":
            self.inside = "listed"
        self.opened = "case" if "case" in css else tag

    def handle_data(self, data):
        if self.inside == "card":
            self.value += data
            found = re.fullmatch(r"(\d+)(\D+)\s*", self.value)
            if found:
                self.cards[found[2].strip()] = int(found[1])
        elif self.inside == "chip":
            word, count = data.split()
            self.chips[word] = int(count)
        elif self.inside == "line":
            self.lines[-1]["text"] += data
        elif self.inside in ("title", "listed"):
            (self.titles if self.inside == "title" else self.lists[-1]).append(data)

    def handle_endtag(self, tag):
        ends = {"card": "div", "chip": "button", "line": "summary", "title": "h2", "listed": "span"}
        if self.inside is not None and tag == ends[self.inside]:
            self.inside = None

    def found(self, *words):
        return [line for line in self.lines if all(word in line["text"].lower() for word in words)]


def check_page(path, results):
    """Counts agree with each other, the search sees what a person sees, and what is bad leads."""
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert "e.firstElementChild.textContent" in text, "the search looks elsewhere than at the line"
    for chip, count in page.chips.items():
        shown = sum(line["chip"] == chip for line in page.lines)
        assert count == shown, f"index.html: the button {chip} says {count} and shows {shown}"
        assert chip == "invalid" or page.cards[chip] == count, f"index.html: card and button disagree on {chip}"
    assert sum(page.chips.values()) == len(page.lines) == len(results)
    assert page.cards["cases"] + page.chips["invalid"] == len(results)
    causes, unexpected, listed = page.lists[:3]
    # One of the causes is unexpected, and no case reports it.
    assert page.cards["unexpected"] - 1 == len(page.found("unexpected")) == len(unexpected)
    assert page.cards["known"] == len(page.found("known deviation")) == len(listed)
    assert "Copy</button>" in text and not page.found("copy"), "index.html: the search finds what no line shows"
    for result in results:
        for word in (result["verdict"], result["case"], (result["breached"] or result["rules"])[0], "numpy 2.4.6"):
            assert any(result["case"] in line["text"] for line in page.found(word.lower())), f"no line of {word}"
    assert [title.split(": ")[-1] for title in page.titles[:4]] == ["Causes", "unexpected", "known", "cases"]
    assert causes == ["FAIL", "WARN"], causes
    assert unexpected == ["UNSAFE", "CRASH", "LEAK", "TIMEOUT", "FAIL", "PASS"], unexpected
