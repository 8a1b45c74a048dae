# suites/cute/judge.py: judges the promises of CuTe DSL's documentation of from_dlpack, in an environment that has the library.
"""Usage: judge.py [--library MODULE] [--seed N] [--examples N] [--known RULE...]. A line for each violation and each rule; exit status 1 if a rule
that is not known is violated, or a known one is not. MODULE has from_dlpack; the default is cutlass.cute.runtime."""
import argparse
import collections
import importlib
import pathlib
import random
import re
import sys
import tomllib

import numpy as np
import promise

HERE = pathlib.Path(__file__).resolve().parent
RULES = tomllib.loads((HERE.parents[1] / "rules" / "libraries" / "cute.toml").read_text(encoding="utf-8"))["rule"]
ALIGNMENTS = (1, 2, 4, 8, 16, 64)


def array(shape, strides):
    """Of float32. The elements differ, and the strides are also those of dimensions of extent 1."""
    store = np.arange(1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides)), dtype=np.float32)
    return np.lib.stride_tricks.as_strided(store, shape, [4 * stride for stride in strides])


def shown(tensor):
    """The layout in the text of the tensor, as the documentation writes it: without the widths of strides."""
    return re.sub(r"i64 ?", "", str(tensor).partition(" o ")[2].rstrip(">")).replace("{}", "").replace(" ", "")


def seen(library, shape, strides, calls):
    """The layout after the calls, or the exception of the last one. That of an earlier one is a text."""
    tensor = library.from_dlpack(array(shape, strides))
    for number, (method, keywords) in enumerate(calls, 1):
        try:
            getattr(tensor, method)(**keywords)
        except Exception as error:
            return error if number == len(calls) else f"call {number} raises {error}"
    return shown(tensor)


def examples():
    """(name, rule, shape, strides, calls, layout or None, error text, layout of the docstring) of each example of the page."""
    page = tomllib.loads((HERE / "examples.toml").read_text(encoding="utf-8"))
    for row in page["example"]:
        calls = [(call["method"], {key: tuple(value) if isinstance(value, list) else value for key, value in call.items() if key != "method"})
                 for call in row["calls"]]
        yield row["name"], row["rule"], *page["layouts"][row["layout"]].values(), calls, row.get("gives"), row.get("error"), row.get("docstring")


class Judge:
    def __init__(self, library):
        self.library, self.judged, self.violated = library, collections.Counter(), collections.Counter()

    def exchange(self, name, rule, shape, strides, calls, gives, error="", docstring=None):
        got = seen(self.library, shape, strides, calls)
        wanted = gives if gives is not None else "an error"
        right = isinstance(got, Exception) if gives is None else got == gives
        where = f"{name}: {promise.text(shape, strides)} {calls}"
        if not right and docstring is not None and got == docstring:
            print(f"NOTE {rule} {where}: the docstring promises {got}, the page {wanted}")
            right = True
        elif right and error and error.rstrip(".") not in str(got):
            print(f"NOTE {rule} {where}: the text of the error is {str(got)!r}, not {error!r}")
        self.count(rule, right, f"{where}: expected {wanted}, got {got!r}")

    def count(self, rule, right, words):
        self.judged[rule] += 1
        if not right:
            self.violated[rule] += 1
            if self.violated[rule] == 1:
                print(f"FAIL {rule} {words}")

    def alignment(self, assumed, offset):
        """CUTE-02: a function of the library asks a tensor for its pointers, which is its first use."""
        store = np.zeros(4096, np.float32)
        first = -store.ctypes.data % 64 // 4 + offset
        tensor = self.library.from_dlpack(store[first:first + 8], assumed_align=assumed)
        try:
            tensor.__c_pointers__()
            raised = False
        except Exception:
            raised = True
        self.count("CUTE-02", raised == (4 * offset % assumed != 0), f"assumed_align={assumed}, address 64k + {4 * offset}: raised is {raised}")


def judged(library, seed, count):
    judge = Judge(library)
    for example in examples():
        judge.exchange(*example)
    for assumed in ALIGNMENTS:
        for offset in (0, 1, 2, 4):
            judge.alignment(assumed, offset)
    source = random.Random(seed)
    for number in range(count):
        rule, shape, strides, calls = promise.drawn(source)
        judge.exchange(f"drawn {number}", "CUTE-01", shape, strides, [], promise.text(shape, strides))
        try:
            gives = promise.promised(shape, strides, calls)
        except promise.Error:
            gives = None
        judge.exchange(f"drawn {number}", rule, shape, strides, calls, gives)
    return judge


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default="cutlass.cute.runtime")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--known", nargs="*", default=[])
    options = parser.parse_args()
    judge = judged(importlib.import_module(options.library), options.seed, options.examples)
    for rule in RULES:
        name = rule["id"]
        verdict = "FAIL" if judge.violated[name] else "PASS" if judge.judged[name] else "SKIP"
        print(f"{verdict} {name} ({judge.violated[name]} of {judge.judged[name]}) {rule['requirement']}")
    unexpected = set(judge.violated) ^ set(options.known)
    print("as expected" if not unexpected else f"unexpected: {', '.join(sorted(unexpected))}")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
