# tests/mutants/check_unjudged.py: some case judges each value of each property, also at each entry point, unless the list says why not.
"""Usage: check_unjudged.py DLPACK_CTS LIST. Prints one line per violation; exit status 1 when there is any."""
import fnmatch
import json
import pathlib
import subprocess
import sys
import tomllib

MUTANT = "truncates-major"  # `mutants` runs at least one; the values are those of the reference


def violations(program, listed):
    ran = subprocess.run([program, "mutants", MUTANT, "--json"], capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        sys.exit(f"{program} mutants {MUTANT} --json exited with {ran.returncode}:\n{ran.stderr}")
    unjudged = {value["value"]: value["words"] for value in json.loads(ran.stdout)["unjudged"]}
    reasons = tomllib.loads(pathlib.Path(listed).read_text())
    for value, words in unjudged.items():
        if not any(fnmatch.fnmatchcase(value, pattern) for pattern in reasons):
            yield f"{value}: no case judges an exchange in which {words}"
    for pattern in reasons:
        if not fnmatch.filter(unjudged, pattern):
            yield f"{pattern}: all such values are judged, so {listed} must not list it"


if __name__ == "__main__":
    found = list(violations(sys.argv[1], sys.argv[2]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
