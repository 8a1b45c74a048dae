# tests/mutants/check_accepted.py: each behaviour that a tested rule accepts has a conforming variant, or a reason for having none.
"""Usage: check_accepted.py DLPACK_CTS RULES ACCEPTED. Prints one line per violation; exit status 1 when there is any."""
import json
import pathlib
import re
import subprocess
import sys
import tomllib

REASONS = {"reference", "graded", "words", "user", "unseen", "skipped", "device", "platform"}
GRADED = re.compile(r"WARN|NOTE|record|A-\d\d")  # an entry that names its own verdict


def listing(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], check=True, capture_output=True).stdout)


def rules_of(folder):
    for file in sorted(pathlib.Path(folder).glob("*.toml")):
        yield from tomllib.loads(file.read_text())["rule"]


def entry_violations(rule, entry, said, variants, rules):
    where = f"{rule['id']}: \"{entry}\""
    words = [said] if isinstance(said, str) else said
    if words[0] == "graded":
        if len(words) == 1 and rule["breach"] != "NOTE" and not GRADED.search(entry):
            yield f"{where} has the reason 'graded', but names no verdict: add the id of the rule that grades it"
        for other in words[1:]:
            if other not in rules:
                yield f"{where} is graded by {other}, but there is no such rule"
        return
    if words[0] in REASONS and len(words) == 1:
        return
    for name in words[words[0] == "reference":]:
        if name not in variants:
            yield f"{where} names {name}, which is neither a conforming variant nor a reason"
        elif rule["id"] not in variants[name]:
            yield f"{where} names {name}, but the rules of {name} do not include {rule['id']}"


def violations(program, folder, accepted):
    said = tomllib.loads(pathlib.Path(accepted).read_text())
    rules = {rule["id"]: rule for rule in rules_of(folder)}
    status = {rule["id"]: rule["status"] for rule in listing(program, "rules")}
    variants = {mutant["mutant"]: mutant["rules"] for mutant in listing(program, "mutants")
                if mutant["kind"] != "mutant"}
    for name in said.keys() - rules.keys():
        yield f"there is no rule {name}"
    for name, rule in rules.items():
        entries = rule.get("accept", [])
        rows = said.get(name, {})
        for entry in rows.keys() - set(entries):
            yield f"{name} does not accept \"{entry}\""
        if status[name] != "tested":
            continue
        for entry in entries:
            if entry not in rows:
                yield f"{name} accepts \"{entry}\": add a conforming variant that behaves so, or a reason, to accepted.toml"
                continue
            yield from entry_violations(rule, entry, rows[entry], variants, rules)


def main():
    found = list(violations(*sys.argv[1:]))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
