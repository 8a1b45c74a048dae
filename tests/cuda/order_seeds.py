# tests/cuda/order_seeds.py: runs cuda/order/* with several seeds, and says whether each seed gives the same verdicts.
"""Usage: order_seeds.py PROGRAM PYTHON LIBRARY SEEDS OUT. Prints a line for each case whose verdict changes, and one in the end."""
import collections
import concurrent.futures
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runner"))
import program as cts  # noqa: E402

AT_ONCE = 3


def verdicts(program, python, library, seed, out):
    """The verdict of each case."""
    ran = cts.run("run", library, "--python", python, "--seed", seed, "--sweep", 0, "--select", "cuda/order/*", "-j", 1,
                  "--format", "json", seconds=600, program_path=program)
    (out / f"{library}-{seed}.ndjson").write_text(ran.out, encoding="utf-8")
    return {line["case"]: line["verdict"] for line in cts.lines_of(ran.out) if line["type"] == "result"}


def main():
    program, python, library, seeds, out = *sys.argv[1:4], range(1, int(sys.argv[4]) + 1), pathlib.Path(sys.argv[5])
    out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        ran = dict(zip(seeds, pool.map(lambda seed: verdicts(program, python, library, seed, out), seeds)))
    counts = collections.defaultdict(collections.Counter)
    for case in sorted({case for seen in ran.values() for case in seen}):
        for seen in ran.values():
            counts[case][seen.get(case, "no result")] += 1
    changing = {case: seen for case, seen in counts.items() if len(seen) > 1}
    for case, seen in changing.items():
        print(f"{case}: " + ", ".join(f"{count} {verdict}" for verdict, count in seen.most_common()))
    print(f"{library}: {len(counts)} cases with {len(ran)} seeds, {len(changing)} change their verdict")
    return 0 if counts and not changing else 1


sys.exit(main())
