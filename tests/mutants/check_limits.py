# tests/mutants/check_limits.py: a mutant that no case reports, and a limited variant, are asked for their limitations.
"""Usage: check_limits.py DLPACK_CTS. Prints one line per violation; exit status 1 when there is any."""
import json
import subprocess
import sys

CASE = "c-abi/layout/legacy-struct-is-read-in-its-layout"  # it reports none of these
# By mutant or variant: a limitation, or None.
WANTED = {
    "refuses-complex": "limit/export/dtype=complex64",
    "refuses-negative-strides": "limit/import-object/layout=negative",
    "never-copies": "limit/export/keyword=copy=True",
    "exports-base-pointer": None,
    "exports-copies": None,
}


def output(program, *more):
    run = subprocess.run([program, "mutants", *WANTED, "--select", CASE, *more], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{program} mutants exited with {run.returncode}:\n{run.stderr}")
    return run.stdout


def violations(program):
    rows = {row["mutant"]: row for row in json.loads(output(program, "--json"))["mutants"]}
    lines = {line.split(": ")[0].split()[-1]: line for line in output(program).splitlines() if line.startswith(("ok", "WRONG"))}
    for name, limit in WANTED.items():
        row, line = rows[name], lines[name]
        if row["killed"]:
            yield f"{name} is killed by {row['killed_by']}, so this test says nothing"
        if limit is None and (row["limits"] or "limits: " in line):
            yield f"{name} has limitations: {row['limits']}, {line}"
        if limit is not None and (limit not in row["limits"] or "limits: " not in line):
            yield f"{name} does not have {limit}: {row['limits']}, {line}"


if __name__ == "__main__":
    found = list(violations(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
