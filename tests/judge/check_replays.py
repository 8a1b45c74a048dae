# tests/judge/check_replays.py: the example of each cause of each mutant, run again alone, shows that cause, and nothing on the reference.
"""Usage: check_replays.py PROGRAM MATRIX [STEP]. MATRIX is what `PROGRAM mutants --sweep 1000 --json` printed; of its causes every STEP-th
is looked at (1: all). Prints one line per violation; exit status 1 when an example accuses the reference, or when more than one
in forty does not show its cause again: the search for a plainer example ends when it has cost enough."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# An example that says nothing alone; where other cases have to run before it, it carries no exchanges that do.
NOT_ALONE = "earlier-exchanges"
BAD = {"CRASH", "TIMEOUT", "LEAK", "UNSAFE", "FAIL", "WARN"}

# Mutants of which an example alone shows another cause, and why.
HARM = "whoever goes by such a struct harms memory of the process, which shows where chance will have it"
ANOTHER_TABLE = "which table it meets is decided by the exchanges of the process before"
EARLIER = "the exchanges of the process before decide which one shows it"
OTHERWISE = {
    "raises-an-old-error-after-a-failed-export": EARLIER,
    "spoils-the-export-after-another-thread": EARLIER,
    "spoils-the-import-after-one-in-a-deleter": EARLIER,
    "overlooks-copy-before-two-keywords": "the address and the flags are wrong together, and either may be reported first",
    "believes-strides-of-unit-dimensions": "many dimensions of one element show it as well as strides that say nothing",
    "believes-unit-strides-of-legacy": "many dimensions of one element show it as well as strides that say nothing",
    "exports-strides-in-bytes": HARM,
    "exports-strides-of-wide-elements-in-bytes": HARM,
    "exports-the-shape-reversed": HARM,
    "exports-the-shape-of-cubes-reversed": HARM,
    "uses-one-table-for-all-types": ANOTHER_TABLE,
    "uses-the-last-table-at-times": ANOTHER_TABLE,
    "changes-a-slot-of-its-table": ANOTHER_TABLE,
    "exports-other-bools": "what the case reads is wrong for a reason of its own, which is reported first",
}
# Mutants with an example on which its case accuses the reference too, and why.
UNFAIR = {
    "frees-the-context": "the death needs less than what the case looks at",
    "frees-the-shape": "the death needs less than what the case looks at",
}


def lines(program, *arguments):
    ran = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        sys.exit(f"{program} {' '.join(arguments)} left with {ran.returncode}:\n{ran.stderr}")
    return ran.stdout


def sweep_of(cause):
    """The case that compares every fact of an example of that side with the reference."""
    return "whole/%s/no-other-fact-deviates" % ("import" if cause["id"].startswith("import/") else "export")


def replayed(program, cause, case, mutant=None):
    """The ids of the causes that the example shows, and what that case says."""
    finding = {"library": "reference", "case": case, "recipe": cause["recipe"], "earlier": cause.get("earlier", [])}
    if mutant is not None:
        finding["mutant"] = mutant
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(finding, file)
        file.flush()
        shown = [json.loads(line) for line in lines(program, "replay", file.name, "--format", "json").splitlines()]
    result = next(line for line in shown if line["type"] == "result")
    return [line["id"] for line in shown if line["type"] == "cause"], result


def violation(program, mutant, cause):
    name = f"{mutant} {cause['id']}"
    ids, result = replayed(program, cause, cause["case"], mutant)
    _, reference = replayed(program, cause, cause["case"])
    if reference["verdict"] in BAD and mutant not in UNFAIR:
        return f"{name}: on the reference {cause['case']} says {reference['verdict']}: {reference['message']}"
    behind_other_cases = cause["id"] == NOT_ALONE and "earlier" not in cause or cause["id"].endswith("/at-times")
    if cause["id"] in ids or behind_other_cases or mutant in OTHERWISE:
        return None
    # The file of a cause names the sweep where its own check does not report the fact.
    if result["verdict"] not in BAD and cause["id"] in replayed(program, cause, sweep_of(cause), mutant)[0]:
        return None
    return f"{name}: alone {cause['case']} shows {', '.join(ids) or 'no cause'} ({result['verdict']}: {result['message']})"


def main():
    program, step = sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1
    mutants = json.loads(pathlib.Path(sys.argv[2]).read_text())["mutants"]
    asked = [(mutant["mutant"], cause) for mutant in mutants for cause in mutant["causes"] if mutant["kind"] == "mutant"]
    asked = asked[::step]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda one: violation(program, *one), asked) if text]
    print(f"{len(asked)} examples ran again")
    print("\n".join(found))
    unfair = any(": on the reference " in text for text in found)
    return 1 if unfair or len(found) > len(asked) / 40 else 0


if __name__ == "__main__":
    sys.exit(main())
