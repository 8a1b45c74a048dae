# tests/suites/check_coverage.py: a page names cases, rules, mutants and freedoms that exist, and gaps that it explains.
"""Usage: check_coverage.py DLPACK_CTS PAGE. Prints one line per violation; exit status 1 when there is any."""
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
        yield "the page names no case or no rule"
    yield from (f"there is no case {case}" for case in CASE.findall(text) if case not in cases)
    for rule, status in RULE.findall(text):
        if rule not in rules:
            yield f"there is no rule {rule}"
        elif status and rules[rule] != status:
            yield f"rule {rule} is called {status}, and is {rules[rule]}"
    yield from (f"there is no {kind} {name}" for kind, name in NAMED.findall(text) if name not in names[kind])
    tables, _, gaps = text.partition("\n## Gaps\n")
    named, explained = set(GAP.findall(tables)), EXPLAINED.findall(gaps)
    yield from (f"gap {gap} is named in a table or in the list alone" for gap in sorted(named ^ set(explained), key=int))
    if explained != [str(number) for number in range(1, len(explained) + 1)]:
        yield "the gaps are not numbered one after the other"


def main():
    found = list(violations(sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
