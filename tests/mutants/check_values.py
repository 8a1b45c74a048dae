# tests/mutants/check_values.py: a wrong value is a FAIL, whatever rule the case is about, and so is its cause.
"""Usage: check_values.py DLPACK_CTS. Runs the mutants that spoil values, and prints one line per violation; exit status 1
when there is any."""
import json
import re
import subprocess
import sys

# Facts that are values of an array: its elements and its shape. In a cause S is the slot.
VALUES = re.compile(r"(import[\dS]\.(library|memory|computed|view|shape|ndim)|export[\dS]\.(elements|shape)|source[\dS]\.(elements|used))$")
# Spoil the values of every import or export, or of many.
CRUDE = ("gives-empty-copies", "drops-the-last-dimension", "squeezes-unit-dimensions", "loses-a-dimension-of-empty-tensors",
         "exports-change-an-element", "exports-the-shape-reversed", "exports-column-major-strides",
         "asking-for-the-device-changes-an-element", "aligns-addresses", "believes-strides-of-unit-dimensions",
         "imports-extents-of-16-bits")
# Spoil only what one case offers: that case has to see it.
SUBTLE = {
    "spoils-tensors-of-newer-minors": "c-abi/version/newer-minor-is-taken",
    "spoils-tensors-of-minor-zero": "c-abi/version/older-minor-is-taken",
    "spoils-read-only-tensors": "c-abi/flags/read-only-is-taken",
    "spoils-tensors-with-unknown-flags": "c-abi/flags/unknown-flags-are-noticed",
    "spoils-imports-with-none": "python/from/none-keywords-ask-for-nothing",
    "spoils-imports-for-a-device": "python/from/host-device-is-served-or-refused",
    "spoils-tensors-of-newer-tables": "exchange-api/consumer/newer-minor-is-no-obstacle",
    "loses-a-dimension-of-empty-tensors": "c-abi/data/null-data-of-empty-tensor-is-taken",
}
LESSER = {
    "c-abi/subbyte/imported-shape-counts-elements": "libraries may count two packed elements as one",
    "c-abi/subbyte/exported-shape-counts-elements": "libraries may count two packed elements as one",
    "robustness/data/misaligned-elements-are-not-sought-elsewhere": "the producer breaks the contract, so no value is promised",
}


def answers_to(program, mutants):
    ran = subprocess.run([program, "mutants", "--json", *mutants], capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        sys.exit(ran.stderr)
    return {mutant["mutant"]: mutant for mutant in json.loads(ran.stdout)["mutants"]}


def violations(program):
    found = answers_to(program, sorted({*CRUDE, *SUBTLE}))
    lesser = set()
    for mutant, answer in found.items():
        for cause in answer["causes"]:
            if VALUES.match(cause["fact"]) and cause["verdict"] in ("WARN", "NOTE"):
                yield f"{cause['id']} of {mutant} is a wrong value ({cause['fact']}), and counts {cause['verdict']} ({cause['rule']})"
        wrong = {case: verdict for case, verdict in answer["verdicts"].items() if VALUES.match(verdict["fact"])}
        if not wrong:
            yield f"no case reports a wrong value of {mutant}"
        for case, seen in wrong.items():
            if seen["verdict"] not in ("WARN", "NOTE"):
                continue
            lesser.add(case)
            if case not in LESSER:
                yield f"{case} reports a wrong value of {mutant} ({seen['fact']}) as {seen['verdict']}"
    for mutant, case in SUBTLE.items():
        verdict = found[mutant]["verdicts"].get(case, {}).get("verdict")
        if verdict != "FAIL":
            yield f"{case} reports {verdict} of {mutant} instead of FAIL"
    for case in sorted(set(LESSER) - lesser):
        yield f"{case} is listed, but reports no wrong value as less than FAIL"


def main():
    found = list(violations(sys.argv[1]))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
