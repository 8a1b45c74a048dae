# tests/scripts/pictures_test.py: the pictures of docs/screens.md are there, have the promised size, and are small.
"""Usage: pictures_test.py SOURCE_ROOT"""
import pathlib
import re
import struct
import sys
import unittest

DOCS = pathlib.Path(sys.argv[1]).resolve() / "docs"
MOST_BYTES = 100_000
PAGE, NARROW = (1280, 720), (420, 720)


def size(path):
    """Width and height in the header of a PNG."""
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n"), path
    return struct.unpack(">II", head[16:24])


class Pictures(unittest.TestCase):
    def setUp(self):
        self.pictures = {path.name: path for path in (DOCS / "images").glob("*.png")}

    def test_each_is_shown_once_and_each_link_leads_to_one(self):
        links = re.findall(r"!\[([^\]]+)\]\(images/([^)]+)\)", (DOCS / "screens.md").read_text(encoding="utf-8"))
        self.assertEqual(sorted(name for _, name in links), sorted(self.pictures))
        self.assertEqual(len({text for text, _ in links}), len(links), "two pictures have the same description")

    def test_each_is_small_and_has_the_size_of_its_screen(self):
        for name, path in self.pictures.items():
            self.assertLess(path.stat().st_size, MOST_BYTES, name)
            if "terminal" not in name:
                self.assertEqual(size(path), NARROW if "narrow" in name else PAGE, name)
        terminals = {size(path) for name, path in self.pictures.items() if "terminal" in name}
        self.assertEqual(len(terminals), 1, "terminals of different sizes")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
