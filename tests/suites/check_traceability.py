# tests/suites/check_traceability.py: every rule is tested, untestable or planned, and every case names real rules.
"""Usage: check_traceability.py DLPACK_CTS. Prints one line per violation; exit status 1 when there is any."""
import collections
import json
import subprocess
import sys

WAITING = "CUDA-"  # the chapters that have rules without a case still
FEWEST_WORDS = 8  # of a reason that says what one rule needs: "needs a CUDA device" says less


def listing(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], check=True, capture_output=True).stdout)


def violations(program):
    rules = {rule["id"]: rule for rule in listing(program, "rules")}
    cases = listing(program, "cases")
    if not rules or not cases:
        yield "there are no rules or no cases"
    for case in cases:
        for rule in case["rules"]:
            if rule not in rules:
                yield f"case {case['case']} names the rule {rule}, which does not exist"
    for freedom in listing(program, "freedoms"):
        if freedom["rule"] not in rules:
            yield f"the freedom {freedom['freedom']} names the rule {freedom['rule']}, which does not exist"
    tested = {rule for case in cases for rule in case["rules"]}
    for name, rule in rules.items():
        if rule["status"] not in ("tested", "untestable", "planned"):
            yield f"rule {name} has the status {rule['status']}"
        if rule["status"] == "tested" and name not in tested:
            yield f"rule {name} is called tested, but no case names it"
        if rule["status"] != "tested" and len(rule["reason"].split()) < FEWEST_WORDS:
            yield f"rule {name} is called {rule['status']}, and its reason does not say what would make it testable"
        if rule["status"] == "planned" and not name.startswith(WAITING):
            yield f"rule {name} is planned, but its chapter is done"
        if sorted(rule["cases"]) != sorted(case["case"] for case in cases if name in case["rules"]):
            yield f"rule {name} and its cases do not name each other"


def shared_reasons(program):
    """A sentence that fits several rules says of none what it needs."""
    rules = collections.defaultdict(list)
    for rule in listing(program, "rules"):
        if rule["status"] != "tested":
            rules[rule["reason"]].append(rule["id"])
    for reason, names in rules.items():
        if len(names) > 1:
            yield f"{', '.join(names)} have one reason: {reason}"


def main():
    found = [*violations(sys.argv[1]), *shared_reasons(sys.argv[1])]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
