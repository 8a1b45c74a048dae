# tests/suites/check_traceability.py: checks that every rule is tested, untestable or planned, and that every case names existing rules.
"""Usage: check_traceability.py DLPACK_CTS. Prints one line per violation; exit status 1 when there is any."""
import collections
import json
import subprocess
import sys

WAITING = "CUDA-"  # the chapters that may still have rules without a case
FEWEST_WORDS = 8  # fewest words of a reason that is specific to its rule; "needs a CUDA device" is too short


def listing(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], check=True, capture_output=True).stdout)


def violations(program):
    rules = {rule["id"]: rule for rule in listing(program, "rules")}
    cases = listing(program, "cases")
    if not rules or not cases:
        yield "the list of rules or the list of cases is empty"
    for case in cases:
        for rule in case["rules"]:
            if rule not in rules:
                yield f"case {case['case']} names the rule {rule}, which does not exist"
            elif rules[rule]["status"] == "untestable":
                yield f"case {case['case']} names the rule {rule}, which rules/ calls untestable"
    for freedom in listing(program, "freedoms"):
        if freedom["rule"] not in rules:
            yield f"the freedom {freedom['freedom']} names the rule {freedom['rule']}, which does not exist"
    tested = {rule for case in cases for rule in case["rules"]}
    for name, rule in rules.items():
        if rule["status"] not in ("tested", "untestable", "planned"):
            yield f"rule {name} has the status {rule['status']}"
        if rule["status"] == "tested" and name not in tested:
            yield f"rule {name} has the status tested, but is not named by a case"
        if rule["status"] != "tested" and len(rule["reason"].split()) < FEWEST_WORDS:
            yield f"rule {name} has the status {rule['status']}, but its reason is too short to say what would make it testable"
        if rule["status"] == "planned" and not name.startswith(WAITING):
            yield f"rule {name} has the status planned, but its chapter is complete"
        if sorted(rule["cases"]) != sorted(case["case"] for case in cases if name in case["rules"]):
            yield f"rule {name} and its cases do not refer to each other"


def shared_reasons(program):
    """A reason that several rules share is not specific to any of them."""
    rules = collections.defaultdict(list)
    for rule in listing(program, "rules"):
        if rule["status"] != "tested":
            rules[rule["reason"]].append(rule["id"])
    for reason, names in rules.items():
        if len(names) > 1:
            yield f"{', '.join(names)} have the same reason: {reason}"


def main():
    found = [*violations(sys.argv[1]), *shared_reasons(sys.argv[1])]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
