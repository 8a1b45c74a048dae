# tests/reproducer/nasty_source_test.py: adapters whose source and version are hard to quote get scripts that run.
"""Usage: nasty_source_test.py DLPACK_CTS TOY_ADAPTER_FOLDER. Prints one line per violation; exit status 1 when any."""
import sys

import defects
import replay
import toy_test

VERSION = '1.0"\n"""\nimport os; os._exit(3)\r\nimport os; os._exit(3) # \x1b[31m caf\xe9 \u202e coding: no-such-codec \\'


def sources(toy):
    """Name and bytes of each source. All hold the same defect, so that there is something to show."""
    text = toy + defects.IGNORES_STRIDES + f"\n\ndef version():\n    return {VERSION!a}\n"
    plain = text.encode("ascii")
    yield "crlf", plain.replace(b"\n", b"\r\n")
    yield "triple_quotes", plain + b"BOTH = '''a\"\"\"b''', \"\"\"c'''d\"\"\"\n"
    yield "trailing_backslash", plain + b"# ends in a backslash \\"
    yield "latin_1", (b"# -*- coding: latin-1 -*-\n" + plain + b"NAME = 'caf\xe9'\nassert NAME == 'caf' + chr(0xe9)\n")
    yield "environment", plain + b"import os, sys\nassert os.environ['TOY_PLACE'] == sys.prefix + '/lib'\n"
    yield "utf_8", b"\xef\xbb\xbf" + plain + "NAME = 'caf\xe9'\nassert NAME == 'caf' + chr(0xe9)\n".encode("utf-8")


def wrong(program, toy, work):
    for name, source in sources(toy):
        adapter = toy_test.prepare(work / name, "")
        (adapter / "adapter.py").write_bytes(source)
        with (adapter / "library.toml").open("a") as description:
            description.write('[environment]\nTOY_PLACE = "{environment}/lib"\n')
        found = list(replay.findings(program, sys.executable, "toy", work / (name + "-out"), "--adapter", str(adapter),
                                     "--examples", "10", "--select", "c-abi/strides/*"))
        scripts = [(finding, script) for _, finding, script in found if script]
        if not scripts:
            yield f"{name}: there is no script"
        for finding, script in scripts[:1]:
            text = replay.shows(sys.executable, finding, script)
            if text:
                yield f"{name}: {text}"


if __name__ == "__main__":
    sys.exit(toy_test.on_toy(wrong, *sys.argv[1:]))
