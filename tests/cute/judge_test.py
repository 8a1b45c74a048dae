# tests/cute/judge_test.py: promise.py computes the examples; a library that keeps all promises passes, and each defect is found.
"""Usage: judge_test.py ROOT, with a Python of 3.11 or later that has NumPy; exits 77 without it."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
try:
    import numpy  # noqa: F401
    import tomllib  # noqa: F401
except ImportError:
    sys.exit(77)
sys.path.insert(0, str(ROOT / "suites" / "cute"))
import judge  # noqa: E402
import promise  # noqa: E402

# What else is wrong where that promise is broken.
ALSO = {"CUTE-04": {"CUTE-03"}, "CUTE-07": {"CUTE-09"}, "CUTE-09": {"CUTE-07", "CUTE-10"}}


def computed():
    """The lines of the page differ from what promise.py says."""
    for name, _, shape, strides, calls, gives, _, _ in judge.examples():
        try:
            says = promise.promised(shape, strides, calls)
        except promise.Error:
            says = None
        if says != gives:
            yield f"{name}: the page says {gives}, promise.py says {says}"


def violated(defect):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests" / "cute"), "DEFECT": defect}
    done = subprocess.run([sys.executable, "-B", ROOT / "suites" / "cute" / "judge.py", "--library", "toy"], env=environment,
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or done.stderr:
        return {done.stderr}
    skipped = set(re.findall(r"^SKIP (CUTE-\d+)", done.stdout, re.MULTILINE))
    return skipped or set(re.findall(r"^FAIL (CUTE-\d+) \(", done.stdout, re.MULTILINE))


def main():
    wrong = list(computed())
    rules = [rule["id"] for rule in judge.RULES]
    named = {rule for _, rule, *_ in judge.examples()}
    wrong += [f"the example names {rule}, which does not exist" for rule in named - set(rules)]
    for defect in ["", *rules]:
        found = violated(defect)
        if (defect and defect not in found) or found - {defect} - ALSO.get(defect, set()):
            wrong.append(f"the defect {defect or 'none'} violates {sorted(found)}")
    print(*wrong, sep="\n")
    print(f"{len(rules)} rules")
    return 1 if wrong else 0


sys.exit(main())
