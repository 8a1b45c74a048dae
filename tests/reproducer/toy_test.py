# tests/reproducer/toy_test.py: every finding on a defective toy library shows again in its reproducer.
"""Usage: toy_test.py DLPACK_CTS TOY_ADAPTER_FOLDER [DEFECT...]. Prints one line per violation; exit status 1 when any.
Every finding of a defect that is named is tried; without names, one of each fact and verdict for every defect."""
import pathlib
import sys
import tempfile

import defects
import replay

LIBRARY = """name = "toy"
kind = "python"
roles = ["consumer", "producer"]
claims = ["view", "write", "reexport", "read_only", "zero_copy", "transpose_in_place"]
requirements = []
python = []
size_mb = 1
fork_safe = true
"""


# Their lives offer several tensors, or are races, which no script does.
WITHOUT_SCRIPT = {"c-abi/dtype/code-bits-and-lanes-have-their-width", "c-abi/own/many-exports-are-apart", "c-abi/own/many-imports-are-apart",
                  "c-abi/own/many-bare-capsules-are-apart", "c-abi/strides/elements-far-apart-are-found-in-bare-capsules",
                  "exchange-api/functions/many-imports-are-apart", "exchange-api/functions/to-object-finds-elements-far-apart",
                  "c-abi/own/many-reexports-are-apart",
                  "c-abi/strides/elements-far-apart-are-found",
                  "c-abi/own/exports-on-several-threads-are-apart", "c-abi/own/imports-on-several-threads-are-released-once",
                  "python/capsule/one-of-several-threads-takes-the-capsule"}


def prepare(folder, adapter):
    folder.mkdir()
    (folder / "library.toml").write_text(LIBRARY, encoding="utf-8")
    (folder / "adapter.py").write_text(adapter, encoding="utf-8")
    return folder


def try_defect(program, toy, work, name, sampled):
    """Runs the toy with one defect, and yields what is wrong."""
    adapter = prepare(work / name, toy + defects.DEFECTS.get(name, ""))
    found = list(replay.findings(program, sys.executable, "toy", work / (name + "-out"), "--adapter", str(adapter),
                                 "--examples", "40", "--timeout", "3", "--sweep", "1500"))
    wrong, _ = replay.complaints(sys.executable, replay.sample(found) if sampled else found)
    missing = [finding["case"] for _, finding, script in found if not script]
    print(f"{name}: {len(found)} findings, {len(missing)} without a reproducer")
    if not found:
        yield f"{name}: the run found nothing"
    for text in wrong:
        yield f"{name}: {text}"
    for case in set(missing) - WITHOUT_SCRIPT:
        yield f"{name}: {case} has no reproducer"


def cannot_start(program, toy, work):
    """Where the library cannot be imported a reproducer says so, and claims nothing."""
    adapter = prepare(work / "absent", toy + defects.IGNORES_STRIDES)
    found = replay.findings(program, sys.executable, "toy", work / "absent-out", "--adapter", str(adapter),
                            "--select", "c-abi/strides/*")
    script = next(script for _, _, script in found if script)
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("ADAPTER = rb'''", "ADAPTER = rb'''import no_such_library\n"), encoding="utf-8")
    status, shown, _ = replay.output([sys.executable, str(script)])
    if status != 2 or not replay.names_missing(shown):
        yield f"without its library {script.name} exits {status} and says:\n{shown}"


def on_toy(wrong, program, toy_folder, *names):
    """Prints what wrong(program, the toy's text, a folder to work in, *names) yields; returns the exit status."""
    toy = pathlib.Path(toy_folder, "adapter.py").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        found = list(wrong(program, toy, pathlib.Path(folder), *names))
    print("\n".join(found))
    return 1 if found else 0


def violations(program, toy, work, *names):
    for name in names or ["CORRECT", *defects.DEFECTS]:
        yield from try_defect(program, toy, work, name, sampled=not names)
    if not names:
        yield from cannot_start(program, toy, work)


if __name__ == "__main__":
    sys.exit(on_toy(violations, *sys.argv[1:]))
