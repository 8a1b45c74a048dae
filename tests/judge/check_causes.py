# tests/judge/check_causes.py: each mutant is reported once, by its own rule.
"""Usage: check_causes.py PROGRAM MATRIX, which is what `PROGRAM mutants --sweep 1000 --json` printed. Prints one line per
violation; exit status 1 when there is any."""
import json
import pathlib
import statistics
import subprocess
import sys

MOST_CAUSES = 5
# How many facts show these defects depends on the draws.
SPREADS = {
    "spoils-the-import-after-one-in-a-deleter": 8,  # each import after the first spoilt one is spoilt
    "believes-strides-of-unit-dimensions": 6,  # reads anywhere, so what lies there decides what happens
    "exports-live-metadata": 6,  # what changes the array decides what its exports show, and two causes depend on threads
    "exports-null-deleters": 6,  # an array is strided by its view, its transpose, its change or its re-export
    "freezes-refused-arrays": 6,  # the array cannot be written after any kind of refused export
    "stumbles-over-strides": 7,  # raises SystemError for every refusal, and each kind of refusal has another text
}
LEAST_NAMED = 0.95
MOST_BLOCKED = 0.1

# Two defects that look the same from outside, or that show only in what another rule covers too.
UNNAMED = {
    "reads-eight-strides": "the only tensor of nine dimensions that shows it in these draws is broadcast, too",
    "frees-the-context": "a free of memory that was not allocated ends the process, whichever pointer it was",
    "frees-the-name": "a name in freed memory is a wrong name",
    "frees-the-used-name": "the same of the used name",
    "swaps-struct-kinds-of-scalars": "a scalar has few fields, and most cases that cannot read it look at its shape",
}


def judged_reference(program):
    ran = subprocess.run([program, "run", "reference", "--sweep", "0", "--format", "json"], capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        sys.exit(ran.stderr)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def breaks_plain_exchanges(mutant):
    """A cause without a trigger: no other exchange can be looked at."""
    return any(cause["verdict"] != "NOTE" and cause["id"].count("/") == 1 for cause in mutant["causes"])


def share_of_blocked(program, mutants):
    """Of the cases that look at no rule of a mutant, and pass on the reference: how many a cause blocks, of how many
    that it touched, of how many there are."""
    rules = {line["case"]: set(line["rules"]) for line in judged_reference(program) if line.get("verdict") == "PASS"}
    blocked = touched = others = 0
    for mutant in mutants:
        if breaks_plain_exchanges(mutant):
            continue
        innocent = {case for case, looks_at in rules.items() if not looks_at & set(mutant["rules"])}
        blocked += len(innocent & set(mutant["blocked"]))
        touched += len(innocent & set(mutant["killed_by"]))
        others += len(innocent)
    return blocked, touched, others


def main():
    mutants = json.loads(pathlib.Path(sys.argv[2]).read_text())["mutants"]
    broken = [mutant for mutant in mutants if mutant["kind"] == "mutant"]
    counts = sorted(len(mutant["causes"]) for mutant in broken)
    named = [mutant for mutant in broken if mutant["named"]]
    ninth = counts[len(counts) * 9 // 10]
    print(f"{len(broken)} mutants: {statistics.median(counts):.0f} cause in the median, {ninth} in nine of ten, "
          f"{counts[-1]} at most; {len(named) / len(broken):.1%} are named by a rule of their own")
    blocked, touched, others = share_of_blocked(sys.argv[1], broken)
    print(f"{blocked} of {others} cases of other rules are blocked ({blocked / others:.1%}), of {touched} that a cause touched "
          f"({blocked / touched:.1%})")
    found = []
    if blocked > MOST_BLOCKED * others:
        found.append(f"more than {MOST_BLOCKED:.0%} of the cases of other rules are blocked")
    if statistics.median(counts) > 1 or ninth > 2:
        found.append("too many causes")
    for mutant in broken:
        if len(mutant["causes"]) > SPREADS.get(mutant["mutant"], MOST_CAUSES):
            found.append(f"{mutant['mutant']} has {len(mutant['causes'])} causes")
        if not mutant["named"] and mutant["mutant"] not in UNNAMED:
            found.append(f"{mutant['mutant']}: no cause names {' or '.join(mutant['rules'])}: "
                         + ", ".join(f"{cause['rule']} ({cause['id']})" for cause in mutant["causes"]))
    if len(named) < LEAST_NAMED * len(broken):
        found.append(f"fewer than {LEAST_NAMED:.0%} are named")
    for mutant in mutants:
        if mutant["kind"] != "mutant":
            grave = [cause["id"] for cause in mutant["causes"] if cause["verdict"] != "NOTE"]
            if grave:
                found.append(f"{mutant['mutant']} conforms, and is accused of {', '.join(grave)}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
