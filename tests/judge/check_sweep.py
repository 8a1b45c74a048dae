# tests/judge/check_sweep.py: a sweep reports no conforming variant, notes variants that break their own habits, and finds most mutants without any case.
"""Usage: check_sweep.py PROGRAM [EXCHANGES]. Prints one line per violation; exit status 1 when there is any."""
import json
import subprocess
import sys

# What the judge of whole ledgers leaves to the cases: refusals, exceptions, the answers to keywords and their order, races,
# producers of other classes, and what shows in a copy of the process alone.
LEAST_SHARE = 0.57


def main():
    program = sys.argv[1]
    exchanges = sys.argv[2] if len(sys.argv) > 2 else "600"
    run = subprocess.run([program, "mutants", "--select", "whole/*", "--sweep", exchanges, "--json"], capture_output=True,
                         text=True, check=False)
    if run.returncode not in (0, 1):
        print(run.stderr)
        return 1
    found = []
    mutants = json.loads(run.stdout)["mutants"]
    for mutant in mutants:
        if mutant["kind"] in ("conforming", "limited") and mutant["deviates"]:
            found.append(f"{mutant['mutant']} conforms, and deviates: {'; '.join(mutant['deviates'])}")
        if mutant["kind"] == "inconstant" and not any("not the library's usual one" in text for text in mutant["deviates"]):
            found.append(f"{mutant['mutant']} leaves its own way, and the sweep does not see it")
    broken = [mutant for mutant in mutants if mutant["kind"] == "mutant"]
    # A crash is not a deviation, but it is reported.
    seen = [mutant for mutant in broken if mutant["deviates"] or mutant["killed_by"]]
    print(f"{len(seen)} of {len(broken)} mutants are seen by the sweep alone; it misses "
          + ", ".join(mutant["mutant"] for mutant in broken if mutant not in seen))
    if len(seen) < LEAST_SHARE * len(broken):
        found.append(f"the sweep sees fewer than {LEAST_SHARE:.0%} of the mutants")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
