# tests/reproducer/switch_test.py: scripts show small libraries' defects, and show nothing once a defect is switched off.
"""Usage: switch_test.py DLPACK_CTS TOY_ADAPTER_FOLDER [DEFECT...]. Prints one line per violation; exit status 1 when any.
Each library is a module beside its adapter, which no package index knows: its library.toml has no requirements."""
import os
import sys

import defects
import replay
import toy_test

# The cases that are run, for each defect.
DEFECTS = {
    "ABORTS": "c-abi/strides/*",
    "ALWAYS_WRITABLE": "c-abi/flags/*",
    "CHANGES_THE_TENSOR": "c-abi/own/*",
    "CONSUMES_WHAT_IT_REFUSES": "python/capsule/*",
    "DELETES_TWICE": "c-abi/own/*",
    "EXPORTS_ANOTHER_TYPE": "c-abi/dtype/*",
    "EXPORTS_ANOTHER_VERSION": "c-abi/version/*",
    "FORGETS_THE_NAME": "python/capsule/*",
    "IGNORES_BYTE_OFFSET": "c-abi/data/*",
    "IGNORES_STRIDES": "c-abi/strides/*",
    "KEEPS_THE_MEMORY": "c-abi/own/*",
    "KEEPS_THE_SOURCE": "c-abi/own/*",
    "LEAKS": "c-abi/own/*",
    "REPORTS_ANOTHER_DEVICE": "python/device/*",
}
SCRIPTS = 2  # of each library, each about another fact
ADAPTER = """import os
import sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import toy_library
from toy_library import *

def from_dlpack(obj, **keywords):
    return toy_library.from_dlpack(obj, **keywords)
"""
LIBRARY = """name = "toy"
kind = "python"
roles = ["consumer", "producer"]
claims = ["view", "write", "reexport", "read_only", "zero_copy"]
size_mb = 1
fork_safe = true
"""


def library(folder, toy, defect):
    """A library whose defect shows while TOY_DEFECT is on."""
    folder.mkdir()
    switched = "".join("    " + line + "\n" for line in defect.strip().split("\n"))
    text = toy + '\n\nimport os\nif os.environ.get("TOY_DEFECT") == "on":\n' + switched
    (folder / "toy_library.py").write_text(text, encoding="utf-8")
    (folder / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    (folder / "library.toml").write_text(LIBRARY, encoding="utf-8")
    return folder


def findings(program, adapter, out, switch, select):
    os.environ["TOY_DEFECT"] = switch
    return list(replay.findings(program, sys.executable, "toy", out, "--adapter", str(adapter), "--timeout", "3",
                                "--examples", "20", "--select", select))


def another_death(finding, script):
    """What is wrong with a script of a death that waits for another signal than the one that comes."""
    other = script.with_name("another_" + script.name)
    text = script.read_text(encoding="utf-8")
    other.write_text(text.replace(f'EXPECTED_END = ["{finding["ended"]}"]', 'EXPECTED_END = ["SIGILL"]'), encoding="utf-8")
    status, shown, _ = replay.output([sys.executable, str(other)])
    if status != 0 or finding["ended"] not in shown or "NOT REPRODUCED" not in shown:
        return f"{finding['case']} counts {finding['ended']} as SIGILL: exit {status}\n{shown}"
    head = text[:text.index("\nADAPTER = ")]
    return "" if finding["ended"] in head else f"{script.name} does not name {finding['ended']}"


def copies(finding, script, adapter):
    """What is wrong with the text about the embedded library, or without that library."""
    text = script.read_text(encoding="utf-8")
    head = " ".join(line.lstrip("# ") for line in text[:text.index("\nADAPTER = ")].splitlines())
    wanted = (f"Copies This script runs copies of these files, as they were at the time of the run: toy_library.py. "
              f"To test a changed library, run: dlpack-cts replay {script.stem}.json")
    if wanted not in " ".join(head.split()):
        return f"{script.name} does not say at its top what it contains:\n{head}"
    other = script.with_name("without_library_" + script.name)
    other.write_text(text.replace('"toy_library.py": ', '"another.py": '), encoding="utf-8")
    status, shown, _ = replay.output([sys.executable, str(other)])
    if status != 2 or not replay.names_missing(shown):
        return f"without its library {script.name} exits {status} and says:\n{shown}"
    os.environ["PYTHONPATH"] = str(adapter)
    found = replay.shows(sys.executable, finding, other)
    del os.environ["PYTHONPATH"]
    return found and f"with the library in PYTHONPATH: {found}"


def wrong(program, toy, work, name):
    adapter = library(work / name, toy, getattr(defects, name))
    known = {finding["case"] for _, finding, _ in findings(program, adapter, work / (name + "-off"), "off", DEFECTS[name])}
    found = findings(program, adapter, work / (name + "-on"), "on", DEFECTS[name])
    found = replay.sample([entry for entry in found if entry[1]["case"] not in known and entry[2]])[:SCRIPTS]
    if not found:
        yield f"{name}: there is no script"
    for _, finding, script in found:
        os.environ["TOY_DEFECT"] = "on"
        shown = replay.shows(sys.executable, finding, script)
        if not shown and finding["verdict"] == "CRASH":
            shown = another_death(finding, script)
        shown = shown or copies(finding, script, adapter)
        if shown:
            yield f"{name}: {shown}"
        os.environ["TOY_DEFECT"] = "off"
        status, text, errors = replay.output([sys.executable, str(script)])
        if (status, text.splitlines()[-1:]) != (0, ["NOT REPRODUCED"]):
            yield f"{name}: {finding['case']} shows without the defect: exit {status}\n{text}{errors}"
    print(f"{name}: {len(found)} scripts, of {', '.join(finding['fact'] or finding['verdict'] for _, finding, _ in found)}")


def violations(program, toy, work, *names):
    for name in names or DEFECTS:
        yield from wrong(program, toy, work, name)


if __name__ == "__main__":
    sys.exit(toy_test.on_toy(violations, *sys.argv[1:]))
