# tests/judge/check_pairs.py: of two defects at once hardly any is lost behind the other.
"""Usage: check_pairs.py PROGRAM [PAIRS]. Draws pairs of mutants with a fixed seed (default 300) and runs the suites with both active.
A mutant is lost where none of the causes that it alone has, and none of the rules that they name, is among the
pair's. Prints every loss, and how many of them are behind a defect that breaks every plain exchange of a role: there hardly
anything can be seen until that one is mended. Exit status 1 when one of the two is lost in more than 5 % of the pairs; of
fewer than 300 chance alone may make twice as many."""
import json
import pathlib
import random
import re
import subprocess
import sys
import tomllib

RULES = pathlib.Path(__file__).resolve().parents[2] / "rules"
SEED = 1
MOST_LOST = 0.05  # of the pairs
ENOUGH = 300
GRAVE = {"CRASH", "TIMEOUT", "LEAK", "UNSAFE", "FAIL", "WARN"}
REFUSED = re.compile(r"because they change the same step: (.*)")


def output(program, *arguments):
    ran = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        sys.exit(f"{program} {' '.join(arguments)} left with {ran.returncode}:\n{ran.stderr}")
    return json.loads(ran.stdout)


def causes_of(program, names):
    """By mutant or pair: ids and rules of the causes that accuse somebody."""
    causes = {}
    for row in output(program, "mutants", "--json", *names)["mutants"]:
        grave = [cause for cause in row["causes"] if cause["verdict"] in GRAVE]
        causes[row["mutant"]] = ({cause["id"] for cause in grave}, {cause["rule"] for cause in grave})
    return causes


def without_refused(program, pairs):
    """Those that can be active together: each worker names what it refuses, and one case is enough to ask."""
    names = ["+".join(pair) for pair in pairs]
    while True:
        ran = subprocess.run([program, "mutants", *names, "--select", "c-abi/own/tensor-is-released-once"], capture_output=True,
                             text=True, check=False)
        refused = REFUSED.search(ran.stderr)
        if not refused and ran.returncode not in (0, 1):
            sys.exit(ran.stderr)
        if not refused:
            return [tuple(name.split("+")) for name in names]
        apart = set(refused[1].split(", "))
        names = [name for name in names if name not in apart]


def restated():
    """By rule: the rules that say the same in general or in particular."""
    same = {}
    for chapter in RULES.glob("*.toml"):
        for rule in tomllib.loads(chapter.read_text())["rule"]:
            for other in rule.get("restates", []):
                same.setdefault(rule["id"], set()).add(other)
                same.setdefault(other, set()).add(rule["id"])
    return same


def breaks_plain_exchanges(ids):
    return any(cause.count("/") == 1 for cause in ids)


def own(alone, mutant, other):
    """What reports the mutant alone, and not the other one."""
    return alone[mutant][0] - alone[other][0], alone[mutant][1] - alone[other][1]


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    mutants = [row["mutant"] for row in output(program, "list", "mutants", "--json") if row["kind"] == "mutant"]
    chance = random.Random(SEED)
    drawn = [tuple(sorted(chance.sample(mutants, 2))) for _ in range(count * 3 // 2)]
    drawn = without_refused(program, list(dict.fromkeys(drawn)))
    alone = causes_of(program, sorted({name for pair in drawn for name in pair}))
    reported = [(a, b) for a, b in drawn if all(own(alone, a, b)) and all(own(alone, b, a))][:count]
    same = restated()
    together = causes_of(program, ["+".join(pair) for pair in reported])
    lost, covered = [], []
    for a, b in reported:
        ids, rules = together[f"{a}+{b}"]
        rules = rules.union(*(same.get(rule, ()) for rule in rules))
        for mutant, other in ((a, b), (b, a)):
            own_ids, own_rules = own(alone, mutant, other)
            if not own_ids & ids and not own_rules & (rules - alone[other][1]):
                (covered if breaks_plain_exchanges(alone[other][0]) else lost).append(
                    f"{mutant} ({', '.join(sorted(own_ids))}) is lost behind {other} ({', '.join(sorted(alone[other][0]))}): "
                    + (", ".join(sorted(ids)) or "no cause"))
    every = lost + covered
    print(f"{len(reported)} pairs: {len(every)} defects are lost ({len(every) / len(reported):.1%} of the pairs), {len(covered)} of them behind one that "
          "breaks plain exchanges")
    print("\n".join(every))
    most = MOST_LOST if len(reported) >= ENOUGH else 2 * MOST_LOST
    return 1 if len(every) > most * len(reported) else 0


if __name__ == "__main__":
    sys.exit(main())
