# tests/mutants/check_kills.py: every mutant is found, every case finds one, every tested rule has two, every conforming variant passes.
"""Usage: check_kills.py DLPACK_CTS MATRIX, which is what `DLPACK_CTS mutants --sweep 1000 --json` printed. Prints one line per
violation; exit status 1 when there is any."""
import json
import pathlib
import subprocess
import sys


def listing(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], check=True, capture_output=True).stdout)


def too_few(rule):
    """Each rule needs a crude and a subtle mutant, which fails in one place only. One is enough if `once` says so."""
    count = len(rule["mutants"])
    if count == 0:
        yield f"rule {rule['id']} is tested, but no mutant violates it"
    elif count == 1 and not rule["once"]:
        yield f"rule {rule['id']} has one mutant: write a subtle one, or give the reason in its field `once`"
    elif count > 1 and rule["once"]:
        yield f"rule {rule['id']} has {count} mutants, but its field `once` says that one is enough: remove the field"


def violations(program, matrix):
    mutants = json.loads(pathlib.Path(matrix).read_text())["mutants"]
    cases = listing(program, "cases")
    rules_of = {case["case"]: set(case["rules"]) for case in cases}
    if not any(m["kind"] == "mutant" for m in mutants) or not any(m["kind"] == "conforming" for m in mutants):
        yield "there are no mutants, or no conforming variants"
    killing = set()
    for mutant in mutants:
        killed_by = mutant["killed_by"]
        if mutant["kind"] != "mutant":
            for case in killed_by:
                yield f"{mutant['mutant']} is a conforming variant, but {case} fails on it"
            if mutant["kind"] == "limited" and not mutant["limits"]:
                yield f"{mutant['mutant']} is limited, but no limitation is reported"
            continue
        own = [case for case in killed_by if rules_of.get(case, set()) & set(mutant["rules"])]
        killing.update(own)
        if not own and mutant["limits"]:
            yield (f"{mutant['mutant']} ({', '.join(mutant['rules'])}) is visible only as a limitation: {mutant['limits'][0]}. "
                   "If no rule forbids it, declare it conforming and limited")
        elif not own:
            yield f"{mutant['mutant']} ({', '.join(mutant['rules'])}) survives: no case of these rules fails on it"
    for case in cases:
        if not case["case"].startswith("cuda/") and not case["whole"] and case["case"] not in killing:
            yield f"{case['case']} fails on no mutant that names one of its rules"
    for rule in listing(program, "rules"):
        on_device = all(case.startswith("cuda/") for case in rule["cases"])  # tests/cuda/ tests them
        if rule["status"] == "tested" and not on_device:
            yield from too_few(rule)


def main():
    found = list(violations(*sys.argv[1:]))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
