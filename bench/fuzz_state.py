# bench/fuzz_state.py: the folder in which bench/fuzz.sh keeps each finished search, so that it can be stopped and continued.
import json
import subprocess

from measure import ROOT, Unusable

SEARCHES = "searches.ndjson"
MATRIX = "mutants.json"


def commit():
    """The commit of the tree, with "+" if files were changed."""
    def git(*arguments):
        return subprocess.run(["git", "-C", str(ROOT), *arguments], text=True, capture_output=True, check=False).stdout.strip()
    return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


class Searches:
    """What was searched, and the exchanges that it took. Without a folder nothing is kept."""

    def __init__(self, folder):
        self.folder, self.known = folder, {}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / SEARCHES
        lines = self.file.read_text(encoding="utf-8").splitlines(keepends=True) if self.file.exists() else []
        # A kill may have cut the last line.
        whole = [line for line in lines if line.endswith("\n")]
        made = json.loads(whole[0])["commit"] if whole else commit()
        if made != commit():
            raise Unusable(f"{folder} holds searches of the commit {made[:12]}, but this tree is at {commit()[:12]}",
                           "check out that commit, or choose another folder with --state")
        for line in whole[1:]:
            search = json.loads(line)
            self.known[tuple(search["key"])] = search["exchanges"]
        self.file.write_text("".join(whole) or json.dumps({"commit": made}) + "\n", encoding="utf-8")

    def run(self, key, search):
        """The exchanges that the search took, or None: of this run, or of one before with the same key."""
        if key not in self.known:
            self.known[key] = search()
            if self.folder is not None:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "exchanges": self.known[key]}) + "\n")
        return self.known[key]

    def matrix(self, make):
        """The list of mutants and their causes."""
        kept = None if self.folder is None else self.folder / MATRIX
        if kept is not None and kept.exists():
            return kept.read_text(encoding="utf-8")
        text = make()
        if kept is not None and text.startswith("{"):
            draft = kept.with_suffix(".draft")
            draft.write_text(text, encoding="utf-8")
            draft.replace(kept)
        return text
