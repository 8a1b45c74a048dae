# tests/reproducer/agreement_test.py: scripts and the engine note the same facts of more than 200 drawn exchanges.
"""Usage: agreement_test.py AGREEMENT_DRAW TOY_ADAPTER_FOLDER [KEPT_FOLDER]. Prints one line per fact that differs; exit
status 1 when any, 77 when this interpreter has no shared libpython. KEPT_FOLDER keeps scripts, facts and recipes."""
import concurrent.futures
import json
import pathlib
import re
import sys
import sysconfig
import tempfile

import defects
import quirks
import replay
import toy_test

# Exchanges of the correct adapter, and of it with each of the defects, so that facts take more than their right values.
CORRECT, EACH = 50, 6
FACTS = 100  # so many have to differ from what they are where nothing happens, or the comparison is hollow
# Most of their exchanges end before their time.
DEADLY = {"ABORTS", "HANGS", "LEAVES", "READS_TOO_FAR"}
# What the toy lacks, so that more of the engine's paths are taken: more types, bare capsules, computed copies, a close.
MORE = """
CODES.update({"uint16": (1, 16), "int64": (0, 64), "uint64": (1, 64), "float16": (2, 16), "complex64": (5, 64)})
NAMES = {code: name for name, code in CODES.items()}
from_object = from_dlpack


class Bare:
    def __init__(self, capsule):
        self.__dlpack__ = lambda **kw: capsule


def from_dlpack(obj, **kw):
    return from_object(Bare(obj) if type(obj).__name__ == "PyCapsule" else obj, **kw)


def compute(array):
    if CODES[array.dtype][1] < 8:
        raise NotImplementedError("what lies inside a byte is not computed")
    store = ctypes.create_string_buffer(values(array) or b"0")
    size = CODES[array.dtype][1] // 8
    strides = tuple(size * product(array.shape[axis + 1:]) for axis in range(len(array.shape)))
    return Array(ctypes.addressof(store), array.shape, strides, array.dtype, store)


def close(array):
    if len(array.shape) == 3:
        raise ValueError("this array stays open")
    if len(array.shape) == 4:
        raise NotImplementedError("such arrays have no close()")
    array.closed = True


values_of_open = values


def values(array):
    if hasattr(array, "closed"):
        raise ValueError("the array is closed")
    return values_of_open(array)
"""


# Several scripts in one interpreter: each forks for its exchange. Of a large tensor a script notes much, and a busy machine is slow.
BATCH = """
import runpy, signal, sys
alarm = signal.alarm
signal.alarm = lambda seconds: alarm(10 * seconds)
for script in sys.argv[1:]:
    print("SCRIPT", script, flush=True)
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit:
        sys.stdout.flush()
"""


def differences(script, text):
    """What differs between engine and script; name and value of the facts that had something to say."""
    engine = json.loads(script.with_suffix(".json").read_text(encoding="utf-8"))
    name = f"{script.parent.name}/{script.name}"
    lines = [line for line in text.splitlines() if line.startswith("FACTS ")]
    if not lines:
        return [f"{name} notes nothing: {text}"], set()
    script_facts = json.loads(lines[-1][len("FACTS "):])
    wrong = [f"{name}: {key} is not a fact" for key in script_facts if key not in engine]
    said = set()
    for key, values in engine.items():
        value, unseen = values or (None, None)
        seen = script_facts.get(key, unseen)
        if values is not None and seen != value:
            wrong.append(f"{name}: {key}: engine {value}, script {seen}")
        elif value != unseen:
            said.add((re.sub("[0-9]", "", key), value))
    return wrong, said


def drawn(draw, libpython, folder, source, count, seed, *mode):
    """Draws recipes for the adapter, and runs all scripts of them: their paths and texts, and what they print."""
    adapter = toy_test.prepare(folder, source)
    command = [draw, sys.executable, str(libpython), str(adapter), str(folder), str(count), str(seed), *mode]
    status, _, errors = replay.output(command)
    if status != 0:
        raise RuntimeError(f"{' '.join(command)} left with {status}: {errors}")
    scripts = [path for path in sorted(folder.glob("*.py")) if path.name != "adapter.py"]
    _, text, errors = replay.output([sys.executable, "-c", BATCH, *map(str, scripts)])
    printed = dict(part.split("\n", 1) for part in text.split("SCRIPT ")[1:])
    return [(script, printed.get(str(script), "") + errors) for script in scripts]


def compare(*work):
    """What differs between the engine and the scripts of drawn recipes."""
    return [differences(script, text) for script, text in drawn(*work)]


def shared_libpython():
    """The libpython that the bridge needs, or None."""
    config = sysconfig.get_config_var
    libpython = pathlib.Path(config("LIBDIR") or "", config("INSTSONAME") or "")
    if ".so" in libpython.name and libpython.exists():
        return libpython
    print(f"{sys.executable} has no shared libpython, which the bridge needs")
    return None


def adapters(toy_folder):
    """The text of the correct adapter, and what each defect adds, by name."""
    toy = pathlib.Path(toy_folder, "adapter.py").read_text(encoding="utf-8") + MORE
    return toy, {name: text for name, text in {**defects.DEFECTS, **quirks.QUIRKS}.items() if name not in DEADLY}


def main(draw, toy_folder, kept=None):
    libpython = shared_libpython()
    if libpython is None:
        return 77
    toy, ways = adapters(toy_folder)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(kept or folder)
        runs = [pool.submit(compare, draw, libpython, folder / "CORRECT", toy, CORRECT, 0)]
        runs += [pool.submit(compare, draw, libpython, folder / name, toy + text, EACH, 1 + i)
                 for i, (name, text) in enumerate(ways.items())]
        found = [pair for run in runs for pair in run.result()]
    wrong = [text for texts, _ in found for text in texts]
    values = set().union(*(facts for _, facts in found))
    said = {key for key, _ in values}
    print(f"{len(found)} recipes; {len(said)} facts had something to say, with {len(values)} values")
    if len(said) < FACTS:
        wrong.append(f"only {len(said)} facts had something to say")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
