# bench/fuzz.py: measures how many exchanges it takes to find planted defects, each way of fuzzing beside the others.
import argparse
import fnmatch
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import tomllib

from fuzz_state import Searches
from measure import PROGRAM, ROOT, Unusable
from planted import FUZZER, LONGEST, Planted, need, run

LONG = ROOT / "build" / "fuzz-long"


def libfuzzer(command, corpora, seed, most, **variables):
    """The inputs that libFuzzer ran until it stopped at a finding, or None."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DLPACK_CTS_FUZZ_")}
    environment.update({f"DLPACK_CTS_FUZZ_{name}": str(value) for name, value in variables.items()})
    with tempfile.TemporaryDirectory() as folder:
        corpus = pathlib.Path(folder) / "corpus"
        corpus.mkdir()
        done = run([command, corpus, *corpora, f"-runs={most}", f"-seed={seed}", "-print_final_stats=1",
                    f"-artifact_prefix={folder}/"], env=environment)
    count = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    if count is None:
        raise Unusable(f"{command} did not say how many inputs it ran", done.stderr.strip()[-400:])
    return int(count[1]) if done.returncode != 0 else None


def blind(arguments, seed, most, mutant=""):
    """The exchanges of a campaign until the end of the leg that found something, or None. Nothing guides its drawing."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = subprocess.Popen([str(word) for word in [PROGRAM, "fuzz", *arguments, "--runs", most, "--seed", seed, "--out", folder]],
                                    text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    env={**os.environ, "DLPACK_CTS_FUZZ_MUTANT": mutant})
        found, last = False, ""
        for line in campaign.stdout:
            last = line
            if line.startswith("found:") and not found:
                found = True
                campaign.send_signal(signal.SIGINT)
        campaign.wait(timeout=LONGEST)
    count = re.match(r"(\d+) exchanges in ", last)
    if count is None:
        raise Unusable(f"the campaign {' '.join(map(str, arguments))} ended early", last.strip())
    return int(count[1]) if found else None


def plugin_of(folder):
    return {"TARGET": "import", "LIBRARY": "tiny", "KIND": "native", "ADAPTER": folder / "libtiny-plugin.so"}


WAYS = {
    "blind drawing (`dlpack-cts fuzz`)": lambda planted, seed, most: blind(["import", "tiny", "--adapter", planted.ordinary], seed, most),
    "libFuzzer, guided by facts": lambda planted, seed, most: libfuzzer(
        FUZZER, [ROOT / "corpus" / "import"], seed, most, **plugin_of(planted.ordinary)),
    "libFuzzer, by the plug-in's coverage too": lambda planted, seed, most: libfuzzer(
        FUZZER, [ROOT / "corpus" / "import"], seed, most, **plugin_of(planted.instrumented)),
    "a plain harness with libFuzzer": lambda planted, seed, most: libfuzzer(planted.plain, [], seed, most),
}


def median(counts):
    """Text, or "" if most searches found nothing: such a search counts as longer than all others."""
    middle = sorted(float("inf") if count is None else count for count in counts)[len(counts) // 2]
    return "" if middle == float("inf") else f"{middle:,}"


def told(counts):
    """Such as "10 of 10, 2,300"."""
    found = sum(count is not None for count in counts)
    return ", ".join(filter(None, (f"{found} of {len(counts)}", median(counts))))


def planted_defects(options, searches, figures):
    every = tomllib.loads((ROOT / "bench" / "planted.toml").read_text(encoding="utf-8"))["defect"]
    defects = [defect for defect in every if fnmatch.fnmatch(defect["name"], options.defects)]
    if not defects:
        return
    print(f"\nPlanted defects of the example plug-in: how many of {options.seeds} seeds find it within {options.runs:,} exchanges; the median.\n")
    print("| defect | conditions | " + " | ".join(WAYS) + " |\n|---|--:|" + "---|" * len(WAYS))
    with tempfile.TemporaryDirectory() as folder:
        for defect in defects:
            name, conditions = defect["name"], len(defect["conditions"])
            planted = functools.cache(lambda: Planted(pathlib.Path(folder), defect))  # built if a search is missing
            counts = {way: [searches.run((name, way, seed, options.runs), lambda: search(planted(), seed, options.runs))
                            for seed in range(1, options.seeds + 1)] for way, search in WAYS.items()}
            figures.append({"defect": name, "conditions": conditions, "exchanges": counts})
            print(f"| {name} | {conditions} | " + " | ".join(map(told, counts.values())) + " |", flush=True)


def single_exchange_mutants(options, searches):
    """Those that a case of an import or export notices, and a single exchange of the sweep shows. The sample is spread over all."""
    if options.matrix is None:
        matrix = searches.matrix(lambda: run([PROGRAM, "mutants", "--sweep", 1000, "--json"]).stdout)
    else:
        matrix = options.matrix.read_text(encoding="utf-8")
    if not matrix.startswith("{"):
        raise Unusable("there is no list of mutants and their causes", "dlpack-cts mutants --sweep 1000 --json prints it")
    able = [row["mutant"] for row in json.loads(matrix)["mutants"]
            if row["kind"] == "mutant" and any(cause["id"].count("/") == 2 and cause["verdict"] in ("FAIL", "UNSAFE", "LEAK")
                                               and not cause.get("earlier") for cause in row["causes"])]
    step = max(1, len(able) // options.sample)
    return able[::step][:options.sample], len(able)


def mutants(options, searches, figures):
    names, able = single_exchange_mutants(options, searches)
    most = min(options.runs, 150_000)
    counts = {}
    for name in names:
        counts[name] = searches.run(("mutant", name, 1, most), lambda: blind(["cases", "reference"], 1, most, name))
        print(f"{len(counts)} of {len(names)}: {name}: " + ("not found" if counts[name] is None else f"{counts[name]:,}"), file=sys.stderr)
    found = sum(count is not None for count in counts.values())
    figures.append({"mutants": counts})
    print(f"\nMutants of the reference, {len(names)} of {able} that a single exchange shows: a campaign finds {found} "
          f"({100 * found / len(names):.0f} %) within {most:,} exchanges; the median is {median(counts.values()) or 'more'}.")
    print("not found: " + (", ".join(sorted(name for name, count in counts.items() if count is None)) or "none"))


def main():
    parser = argparse.ArgumentParser(prog="bench/fuzz.sh", description="Measures how many exchanges it takes to find planted defects.")
    parser.add_argument("--long", action="store_true", help="10 seeds, 2,000,000 exchanges, all mutants: some hours")
    parser.add_argument("--defects", default="*", metavar="GLOB", help="planted defects by name (default: all)")
    parser.add_argument("--seeds", type=int, metavar="N", help="seeds for each planted defect (default 3)")
    parser.add_argument("--runs", type=int, metavar="N", help="most exchanges of one search (default 300,000)")
    parser.add_argument("--sample", type=int, metavar="N", help="mutants of the reference; 0: none (default 50)")
    parser.add_argument("--matrix", type=pathlib.Path, metavar="FILE",
                        help="what dlpack-cts mutants --sweep 1000 --json printed (default: run it, some minutes)")
    parser.add_argument("--state", type=pathlib.Path, metavar="DIR", help="keep each finished search there, and continue from it "
                        f"(default with --long: {LONG.relative_to(ROOT)})")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write all numbers to this file")
    options = parser.parse_args()
    for name, short, long in (("seeds", 3, 10), ("runs", 300_000, 2_000_000), ("sample", 50, 10_000)):
        if getattr(options, name) is None:
            setattr(options, name, long if options.long else short)
        if getattr(options, name) < (0 if name == "sample" else 1):
            parser.error(f"argument --{name}: it is too small")
    state = LONG if options.long and options.state is None else options.state
    figures = []
    try:
        searches = Searches(state)
        need(PROGRAM, "cmake --preset release && ninja -C build/release")
        planted_defects(options, searches, figures)
        if options.sample:
            mutants(options, searches, figures)
    except KeyboardInterrupt:
        print("dlpack-cts: interrupted" + (f"; the same command continues from {state}" if state else ""), file=sys.stderr)
        return 130
    except Unusable as wrong:
        what, hint = wrong.args
        print(f"dlpack-cts: {what}\n  hint: {hint}", file=sys.stderr)
        return 2
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
