# bench/run.py: reads the arguments of bench/run.sh, and measures this tree against its aims or against another commit.
import argparse
import pathlib
import sys

import against
import measure


def main():
    parser = argparse.ArgumentParser(prog="bench/run.sh", description="Measures the figures of bench/README.md. "
                                     "Exits with status 1 if an aim is missed.")
    parser.add_argument("--numpy-env", help="environment with NumPy (default: one that dlpack-cts makes)")
    parser.add_argument("--torch-env", help="environment with PyTorch (default: not measured)")
    parser.add_argument("--clean", action="store_true", help="measure a clean build too (minutes)")
    parser.add_argument("--against", metavar="COMMIT", help="build that commit too, and compare this tree with it "
                        "instead of with the aims; status 1 if a median is worse by more than 5 %%")
    parser.add_argument("--repetitions", type=int, metavar="N", help="runs for each median (default 5; 10 with --against)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the figures to this file")
    options = parser.parse_args()
    if options.repetitions is None:
        options.repetitions = 5 if options.against is None else 10
    if options.repetitions < 1:
        parser.error("argument --repetitions: it must be at least 1")
    try:
        if options.against is not None:
            commit = against.commit_of(options.against)
            measure.build_tree(measure.ROOT, measure.BUILD)
            return against.compare(options, commit)
        measure.build_tree(measure.ROOT, measure.BUILD)
        return measure.measure(options)
    except measure.Unusable as wrong:
        what, hint = wrong.args
        print(f"dlpack-cts: {what}\n  hint: {hint}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
