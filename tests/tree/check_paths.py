# tests/tree/check_paths.py: std::filesystem is called with a std::error_code, so that a user's path does not look like a bug.
"""Usage: check_paths.py SOURCE_ROOT. Prints one line per violation; exit status 1 when there is any."""
import pathlib
import re
import sys

# The second asks only for the folders of the program itself, and no user gives their paths.
OWN = ("base/paths.cc", "runner/base/places.cc")
FOLDERS = ("base", "results", "reports", "runner", "fuzz", "worker", "bridge", "subject", "engine")
NAMES = ("absolute canonical weakly_canonical relative proximate copy copy_file create_directory create_directories create_symlink "
         "current_path equivalent exists file_size is_directory is_regular_file is_symlink is_empty is_other is_fifo is_socket "
         "last_write_time permissions read_symlink remove remove_all rename resize_file space status symlink_status "
         "temp_directory_path").split()
CALL = re.compile(rf"\b(?:fs|filesystem)::({'|'.join(NAMES)})\(")
CODE = re.compile(r"std::error_code&? (\w+)")
# Its ++ throws, and so do the questions to an entry.
LOOP = re.compile(r"for \([^;]*?: *(?:std::)?(?:fs|filesystem)::(?:recursive_)?directory_iterator\b")
ENTRY = re.compile(r"\bentry(?:\.|->)(?:exists|is_\w+|file_size|status|symlink_status)\(\)")


def last_argument(text, begin):
    """The last argument of the call whose parenthesis ends at `begin`."""
    depth, start = 1, begin
    for at in range(begin, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return text[start:at].strip()
        if text[at] == "," and depth == 1:
            start = at + 1
    return ""


def violations_of(text):
    text = re.sub(r"//.*", "", text)
    codes = set(CODE.findall(text))
    for match in CALL.finditer(text):
        argument = last_argument(text, match.end())
        if argument not in codes and "status(" not in argument:
            yield match
    yield from LOOP.finditer(text)
    yield from ENTRY.finditer(text)


def main():
    bad = "for (const auto& entry : fs::directory_iterator(a, b)) {\nfs::exists(f(a, gone))\nentry.is_directory()"
    good = "std::error_code gone;\nfs::exists(f(a), gone) && fs::is_symlink(fs::symlink_status(a, gone))"
    assert len(list(violations_of(bad))) == 3 and not list(violations_of(good))
    root = pathlib.Path(sys.argv[1])
    found = []
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".h", ".cc") or name in OWN:
            continue
        found += [f"{name}: {match[0]}...: use base/paths.h, or give it a std::error_code"
                  for match in violations_of(path.read_text(encoding="utf-8"))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
