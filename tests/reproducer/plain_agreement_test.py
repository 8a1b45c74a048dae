# tests/reproducer/plain_agreement_test.py: short scripts see the facts that the engine noted of drawn exchanges.
"""Usage: plain_agreement_test.py AGREEMENT_DRAW TOY_ADAPTER_FOLDER. Prints one line per fact that differs; exit status 1
when any, 77 when this interpreter has no shared libpython."""
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import agreement_test

# Facts of the correct adapter, and of it with each of the defects.
CORRECT, EACH = 40, 6
FACTS = 28  # so many keys have to be watched, or the comparison is hollow


def compare(*work):
    """Of each pair of scripts about one fact, the first must show the engine's value, and the second find it right.
    Returns what is wrong, and the facts."""
    wrong, facts = [], set()
    for script, text in agreement_test.drawn(*work, "plain"):
        right = script.stem.endswith("_right")
        noted = json.loads(script.with_name(script.stem.replace("_right", "") + ".json").read_text(encoding="utf-8"))
        ends = [line for line in text.splitlines() if line.startswith(("REPRODUCED", "NOT REPRODUCED"))]
        facts.add(noted["fact"])
        if [end.startswith("NOT") for end in ends] != [right]:
            name = f"{script.parent.name}/{script.name}"
            wrong.append(f"{name}: the engine saw that {noted['fact']} is {noted['value']}: {text}")
    return wrong, facts


def main(draw, toy_folder):
    libpython = agreement_test.shared_libpython()
    if libpython is None:
        return 77
    toy, ways = agreement_test.adapters(toy_folder)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(folder)
        runs = [pool.submit(compare, draw, libpython, folder / "CORRECT", toy, CORRECT, 0)]
        runs += [pool.submit(compare, draw, libpython, folder / name, toy + text, EACH, 1 + i)
                 for i, (name, text) in enumerate(ways.items())]
        found = [run.result() for run in runs]
    wrong = [text for texts, _ in found for text in texts]
    facts = set().union(*(facts for _, facts in found))
    print(f"short scripts watched {', '.join(sorted(facts))}")
    if len(facts) < FACTS:
        wrong.append(f"short scripts watched only {len(facts)} facts")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
