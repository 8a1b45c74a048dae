# tests/judge/check_large.py: over many exchanges and seeds nothing that conforms deviates, and real libraries in nothing but what is listed.
"""Usage: check_large.py PROGRAM [EXCHANGES [SEEDS [LIBRARY...]]]. Judges whole that many exchanges (default 100,000, half of them in each
direction) for each seed from 1 to SEEDS (default 5): of the reference, of every conforming variant, the ten shapes among them, and of
the libraries (default numpy and torch). Prints a line for each seed of each; exit status 1 when anything deviates."""
import json
import subprocess
import sys
import time


def conforming(program):
    listed = subprocess.run([program, "list", "mutants", "--json"], capture_output=True, text=True, check=True)
    return [row["mutant"] for row in json.loads(listed.stdout) if row["kind"] in ("conforming", "limited")]


def variants(program, names, exchanges, seed):
    """What deviates in each variant, by its name."""
    run = subprocess.run([program, "mutants", *names, "--select", "whole/*", "--sweep", str(exchanges // 2), "--seed", str(seed),
                          "--json"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"the variants with seed {seed} left with {run.returncode}:\n{run.stderr}")
    rows = {row["mutant"]: row["deviates"] + row["killed_by"] for row in json.loads(run.stdout)["mutants"]}
    missing = [name for name in names if name not in rows]
    if missing:
        sys.exit(f"seed {seed}: no answer about {', '.join(missing)}")
    return rows


def library(program, name, exchanges, seed):
    """The causes that are not listed, and how many exchanges were judged."""
    run = subprocess.run([program, "run", name, "--select", "whole/*", "--sweep", str(exchanges // 2), "--seed", str(seed),
                          "--format", "json"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{name} with seed {seed} left with {run.returncode}:\n{run.stderr}")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    judged = sum(line["examples"] for line in lines if line["type"] == "result")
    causes = [line for line in lines if line["type"] == "cause"]
    unlisted = [cause["id"] for cause in causes if not cause["as_expected"] or cause["verdict"] == "NOTE"]
    unlisted += [line["case"] for line in lines if line["type"] == "result" and not line["as_expected"]]
    return judged, len(causes) - len([cause for cause in causes if cause["id"] in unlisted]), unlisted


def main():
    program = sys.argv[1]
    exchanges = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    libraries = sys.argv[4:] or ["numpy", "torch"]
    names = conforming(program)
    wrong = 0
    for seed in range(1, seeds + 1):
        began = time.monotonic()
        deviating = {name: what for name, what in variants(program, names, exchanges, seed).items() if what}
        wrong += len(deviating)
        print(f"seed {seed}: {len(names)} conforming variants, {exchanges} exchanges each: {len(deviating)} deviate "
              f"({time.monotonic() - began:.0f} s)", flush=True)
        for name, what in deviating.items():
            print(f"  {name}: {'; '.join(what)}")
        for name in ["reference", *libraries]:
            judged, listed, unlisted = library(program, name, exchanges, seed)
            wrong += len(unlisted) + (judged < exchanges // 2)
            print(f"seed {seed}: {name}: {judged} exchanges: {len(unlisted)} causes that are not listed, {listed} that are", flush=True)
            for cause in unlisted:
                print(f"  {cause}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
