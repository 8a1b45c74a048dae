# tests/judge/check_causes.py: each mutant is told once, by its own rule.
"""Usage: check_causes.py PROGRAM [EXCHANGES]. Prints one line per violation; exit status 1 when there is any."""
import json
import statistics
import subprocess
import sys

MOST_CAUSES = 5
LEAST_NAMED = 0.95

# Two defects that nobody can tell apart from outside, or that show in nothing but what another rule says too.
UNNAMED = {
    "frees-the-context": "a free of what nobody allocated ends the process, whichever pointer it was",
    "frees-the-name": "a name in freed memory is a wrong name",
    "frees-the-used-name": "the same of the used name",
    "reads-the-strides-of-scalars": "strides behind no dimension lie behind the last of them too",
    "cannot-read-strided-imports": "a NOTE of every case that reads elements",
    "knows-stream-alone": "who does not know max_version makes no versioned capsules either",
    "capsule-never-releases": "the array that a capsule keeps is one that its deleter did not let go",
}


def main():
    exchanges = sys.argv[2] if len(sys.argv) > 2 else "300"
    run = subprocess.run([sys.argv[1], "mutants", "--sweep", exchanges, "--json"], capture_output=True, text=True,
                         check=False)
    if run.returncode not in (0, 1):
        print(run.stderr)
        return 1
    mutants = json.loads(run.stdout)
    broken = [mutant for mutant in mutants if mutant["kind"] == "mutant"]
    counts = sorted(len(mutant["causes"]) for mutant in broken)
    named = [mutant for mutant in broken if mutant["named"]]
    ninth = counts[len(counts) * 9 // 10]
    print(f"{len(broken)} mutants: {statistics.median(counts):.0f} cause in the median, {ninth} in nine of ten, "
          f"{counts[-1]} at most; {len(named) / len(broken):.1%} are named by a rule of their own")
    found = []
    if statistics.median(counts) > 1 or ninth > 2:
        found.append("too many causes")
    for mutant in broken:
        if len(mutant["causes"]) > MOST_CAUSES:
            found.append(f"{mutant['mutant']} has {len(mutant['causes'])} causes")
        if not mutant["named"] and mutant["mutant"] not in UNNAMED:
            found.append(f"{mutant['mutant']}: no cause names {' or '.join(mutant['rules'])}: "
                         + ", ".join(f"{cause['rule']} ({cause['id']})" for cause in mutant["causes"]))
    if len(named) < LEAST_NAMED * len(broken):
        found.append(f"fewer than {LEAST_NAMED:.0%} are named")
    for mutant in mutants:
        if mutant["kind"] == "conforming":
            grave = [cause["id"] for cause in mutant["causes"] if cause["verdict"] != "NOTE"]
            if grave:
                found.append(f"{mutant['mutant']} conforms, and is accused of {', '.join(grave)}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
