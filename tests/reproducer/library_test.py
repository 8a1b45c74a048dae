# tests/reproducer/library_test.py: every finding of a run on a real library shows again in its reproducer.
"""Usage: library_test.py DLPACK_CTS LIBRARY ENVIRONMENT. Exit status 77 when the environment is not given."""
import pathlib
import sys
import tempfile

import replay

# Findings without a script, each with the reason. To name one here is a decision; to lose one by accident is a failure.
WITHOUT_SCRIPT = {"numpy": {}, "torch": {"c-abi/own/exports-stay-while-a-thread-changes-the-array"}}

# A reader who knows nothing of the project needs these lines, and can do nothing with a path of our tree.
WANTED_LINES = ("# Expected ", "# Got ", "# Rule ", "# Case ")
OUR_FOLDERS = ("adapters/", "harness/", "suites/", "docs/", "rules/")


def unreadable(script):
    """What a stranger would miss in the script, or stumble over."""
    text = script.read_text(encoding="utf-8")
    head = text[:text.index("\nimport ")]
    for line in WANTED_LINES:
        if "\n" + line not in head:
            yield f"{script.name} has no line {line!r} at its top"
    if "pip install " not in head:
        yield f"{script.name} does not say at its top how to install the library"
    own = head + text[text.index("ADAPTER = "):text.index("# ---- ")]
    for folder in OUR_FOLDERS:
        if "# " + folder in own or " " + folder in head.replace("DLPack's docs/", ""):
            yield f"{script.name} mentions {folder}, which its reader does not have"
    try:
        compile(text, script.name, "exec")
    except SyntaxError as error:
        yield f"{script.name} is not valid Python: {error}"


def main(program, library, environment):
    if not environment:
        print(f"no environment with {library} is named: cmake -D DLPACK_CTS_TEST_{library.upper()}_ENV=FOLDER")
        return 77
    python = str(pathlib.Path(environment, "bin", "python"))
    with tempfile.TemporaryDirectory() as folder:
        found = list(replay.findings(program, python, library, pathlib.Path(folder)))
        wrong, missing = replay.complaints(python, found)
        for _, _, script in found:
            if script:
                wrong += unreadable(script)
        wrong += [f"{case} has no reproducer" for case in missing if case not in WITHOUT_SCRIPT[library]]
        wrong += [f"{case} has a reproducer now: take it off the list" for case in WITHOUT_SCRIPT[library]
                  if case in {finding["case"] for _, finding, script in found if script}]
        if not found:
            wrong.append(f"the run on {library} found nothing to reproduce")
    print(f"{library}: {len(found)} findings, {len(missing)} without a reproducer")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
