# bench/against.py: runs the programs of another commit and of this tree in turns, and compares the medians of each figure.
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measure
from measure import ROOT, Unusable, text, timed

WORSE = 0.05       # a median that is worse by more than this counts
MUTANTS = 24       # of each side, spread over the whole list
SWEPT = 30_000     # exchanges in each direction


class Side:
    """A tree and its build in Release."""

    def __init__(self, name, tree, build):
        self.name, self.tree, self.build = name, tree, build

    def program(self, *arguments):
        return [str(self.build / "dlpack-cts"), *arguments]


def commit_of(name):
    run = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Unusable(f"git knows no commit \"{name}\"", "name a commit, a tag or a branch, for example --against HEAD~1")
    return run.stdout.strip()


def built(commit):
    """The side of that commit. Its tree and build stay in build/against/, so that a second comparison starts at once."""
    folder = ROOT / "build" / "against" / commit
    side = Side(commit[:10], folder / "tree", folder / "build")
    if not side.tree.exists():
        unpacked = folder / "unpacked"
        unpacked.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", str(unpacked)], input=archive, check=True)
        unpacked.rename(side.tree)
    print(f"building {side.name} in {side.build}", file=sys.stderr, flush=True)
    measure.build_tree(side.tree, side.build)
    return side


def cpu_and_wall(side, arguments, expected=(0, 1)):
    """Wall seconds, CPU seconds, and the peak of the driver in MiB."""
    with tempfile.TemporaryDirectory() as out:
        return timed(side.program(*arguments, "--out", out), expected=expected)


def sweep_rate(side, library):
    spent = [cpu_and_wall(side, ["run", *library, "--select", "whole/*", "--sweep", str(n)], (0,))[1] for n in (1, SWEPT)]
    return 2 * (SWEPT - 1) / (spent[1] - spent[0])


def names_of_mutants(sides):
    """Some mutants that both sides have."""
    lists = [[row["mutant"] for row in json.loads(text(side.program("list", "mutants", "--json")))] for side in sides]
    both = [name for name in lists[0] if name in set(lists[1])]
    return both[::max(1, len(both) // MUTANTS)]


def figures(options, sides, python):
    """Rows of: what measures once on a side, and for each value that it returns the name, the unit and whether more is
    better."""
    numpy = ["numpy", "--python", str(python)]
    some = names_of_mutants(sides)
    yield (lambda side: [statistics.median(measure.property_rates(side.tree, side.build, python))]), [("import properties on NumPy, one CPU", "1/s", True)]
    yield (lambda side: cpu_and_wall(side, ["run", *numpy])), [
        ("run numpy", "s", False), ("run numpy, CPU time", "s", False), ("peak memory of the driver, run numpy", "MiB", False)]
    yield (lambda side: cpu_and_wall(side, ["run", *numpy, "--sweep", "0"])[:1]), [("run numpy --sweep 0", "s", False)]
    for library in ("reference", "numpy") if all(measure.has(side.tree, "exchange_rate") for side in sides) else ():
        yield (lambda side, library=library: measure.stored_rates(side.tree, side.build, python, library)), [
            (f"stored exchanges, {library}", "1/s", True), ("  the same, compared", "1/s", True)]
    yield (lambda side: [sweep_rate(side, ["reference"])]), [("sweep of the reference, one CPU", "1/s", True)]
    yield (lambda side: [sweep_rate(side, numpy)]), [("sweep of NumPy, one CPU", "1/s", True)]
    if options.torch_env is not None:
        torch = ["torch", "--python", str(measure.interpreter(options.torch_env, "torch"))]
        yield (lambda side: cpu_and_wall(side, ["run", *torch])[:1]), [("run torch", "s", False)]
    yield (lambda side: timed(side.program("mutants", *some))[1:2]), [(f"{len(some)} mutants, CPU time", "s", False)]
    if options.clean:
        yield (lambda side: measure.clean_build_of(side.tree)[1:]), [("clean build, CPU time", "s", False)]


def compare(options, commit):
    """Prints a line for each figure. Returns 1 if one is worse by more than 5 %."""
    sides = [built(commit), Side("this tree", ROOT, measure.BUILD)]
    python = measure.interpreter(options.numpy_env, "numpy")
    n = options.repetitions
    print(f"medians of {n}, in turns; load {os.getloadavg()[0]:.1f} at the start, {os.cpu_count()} CPUs")
    print(f"{'figure':<40} {sides[0].name:>11} {sides[1].name:>11}       ratio")
    rows = []
    for once, columns in figures(options, sides, python):
        values = ([], [])
        for turn in range(n):  # the first of a turn changes, so that neither side always runs on a warm machine
            for index in ((0, 1), (1, 0))[turn % 2]:
                values[index].append(once(sides[index]))
        for (name, unit, more_is_better), *both in zip(columns, *(zip(*side) for side in values)):
            before, after = map(statistics.median, both)
            ratio = after / before
            worse = (before / after if more_is_better else ratio) > 1 + WORSE
            digits = 0 if before >= 100 else 2
            rows.append({"figure": name, "unit": unit, "before": before, "after": after, "ratio": ratio, "worse": worse})
            print(f"{name:<40} {before:>11,.{digits}f} {after:>11,.{digits}f} {unit:<4} {ratio:>6.3f}"
                  f"{'  WORSE by more than 5 %' if worse else ''}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 1 if any(row["worse"] for row in rows) else 0
