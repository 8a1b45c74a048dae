# tests/suites/check_coverage.py: checks that a page names existing cases, rules, mutants and freedoms, and explains its gaps.
"""Usage: check_coverage.py DLPACK_CTS PAGE. Prints one line per violation; exit status 1 when there is any."""
import fnmatch
import pathlib
import re
import sys

from check_traceability import listing

CASE = re.compile(r"`((?:c-abi|cuda|exchange-api|interop|python|robustness|whole)/[^`]+)`")
RULE = re.compile(r"`([A-Z]+(?:-[A-Z]+)*-\d\d)`(?: \((planned|untestable)\))?")
NAMED = re.compile(r"(mutant|shape|freedom) `([^`]+)`")
GAP = re.compile(r"gap (\d+)")
EXPLAINED = re.compile(r"^\| (\d+) \|", re.MULTILINE)


def violations(program, text):
    cases = {case["case"] for case in listing(program, "cases")}
    rules = {rule["id"]: rule["status"] for rule in listing(program, "rules")}
    mutants = {mutant["mutant"] for mutant in listing(program, "mutants")}
    names = {"mutant": mutants, "shape": mutants,
             "freedom": {freedom["freedom"] for freedom in listing(program, "freedoms")}}
    if not CASE.search(text) or not RULE.search(text):
        yield "the page does not name a case or does not name a rule"
    # "cuda/order/*" names several.
    yield from (f"the case {case} does not exist" for case in CASE.findall(text) if not fnmatch.filter(cases, case))
    for rule, status in RULE.findall(text):
        if rule not in rules:
            yield f"the rule {rule} does not exist"
        elif status and rules[rule] != status:
            yield f"rule {rule} is called {status}, but its status is {rules[rule]}"
    yield from (f"the {kind} {name} does not exist" for kind, name in NAMED.findall(text) if name not in names[kind])
    tables, _, gaps = text.partition("\n## Gaps\n")
    named, explained = set(GAP.findall(tables)), EXPLAINED.findall(gaps)
    yield from (f"gap {gap} is only in a table, or only in the list of gaps" for gap in sorted(named ^ set(explained), key=int))
    if explained != [str(number) for number in range(1, len(explained) + 1)]:
        yield "the gaps are not numbered 1, 2, 3 and so on"


def main():
    found = list(violations(sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
