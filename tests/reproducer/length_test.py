# tests/reproducer/length_test.py: scripts of the usual findings stay short enough to be read.
"""Usage: length_test.py DLPACK_CTS TOY_ADAPTER_FOLDER. Prints one line per violation; exit status 1 when any."""
import os
import re
import sys

import defects
import replay
import switch_test
import toy_test

# Most lines without the adapter's part, which is as long as the library's.
PLAIN = 60  # one tensor, one call, one question
THREADS = 190  # a deleter of ours has to be called back on another thread
# The defect ("" for none: the toy takes what it does not know), the cases, and the fact that decides, "" for a death.
USUAL = (("IGNORES_STRIDES", "c-abi/strides/*", "import0.library", PLAIN), ("", "c-abi/version/*", "import0.outcome", PLAIN),
         ("EXPORTS_ANOTHER_TYPE", "c-abi/dtype/*", "export0.dtype", PLAIN),
         ("EXPORTS_ANOTHER_VERSION", "c-abi/version/*", "export0.version", PLAIN),
         ("", "c-abi/flags/*", "export0.flags", PLAIN), ("", "python/dl-device/*", "export0.outcome", PLAIN),
         ("", "python/capsule/*", "export0.has_destructor", PLAIN), ("ABORTS", "c-abi/strides/*", "", PLAIN),
         ("LEAKS", "c-abi/own/tensor-is-released-once", "import0.deleter.calls", PLAIN),
         ("LEAKS", "c-abi/own/*-from-another-thread", "import0.deleter.calls", THREADS),
         ("DELETES_TWICE", "c-abi/own/tensor-is-released-once", "import0.deleter.calls", PLAIN),
         ("FORGETS_THE_NAME", "python/capsule/*", "import0.name_after", PLAIN),
         ("ALWAYS_WRITABLE", "c-abi/flags/*", "import0.writable", PLAIN),
         ("EXPORTS_LIVE_METADATA", "c-abi/shape/*", "export0.changed", PLAIN))
# The same of adapters that import everything from a module.
IMPORTING_ALL = (("EXPORTS_ANOTHER_TYPE", "c-abi/dtype/*", "export0.dtype", PLAIN),
                 ("FORGETS_THE_NAME", "python/capsule/*", "import0.name_after", PLAIN))
ADAPTER = re.compile(r"^(?:# Copies  [^\n]*\n(?:#  [^\n]*\n)*)?^ADAPTER = .*?(?=^# ---- )", re.DOTALL | re.MULTILINE)


def wrong(program, toy, work):
    os.environ["TOY_DEFECT"] = "on"
    for number, (defect, select, fact, most) in enumerate(USUAL + IMPORTING_ALL):
        name = f"{number}.{defect}"
        text = defects.DEFECTS.get(defect, "")
        all_of_it = number >= len(USUAL)
        adapter = switch_test.library(work / name, toy, text) if all_of_it else toy_test.prepare(work / name, toy + text)
        found = replay.findings(program, sys.executable, "toy", work / (name + "-out"), "--adapter", str(adapter),
                                "--examples", "20", "--select", select)
        scripts = [script for _, finding, script in found if finding["fact"] == fact and script]
        if not scripts:
            yield f"{defect or 'the toy'} has no script about {fact or 'a death'}"
        for script in scripts:
            own, parts = ADAPTER.subn("", script.read_text(encoding="utf-8"))
            lines = len(own.splitlines())
            print(f"{script.name}: {lines} lines about {fact or 'a death'}")
            if parts != 1 or lines > most:
                yield f"{script.name} has {lines} lines about {fact or 'a death'}, and {parts} adapters"


if __name__ == "__main__":
    sys.exit(toy_test.on_toy(wrong, *sys.argv[1:]))
